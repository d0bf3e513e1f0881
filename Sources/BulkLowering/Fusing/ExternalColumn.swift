internal import BulkStore

/// A column of the store that is read whose values must lie in their rows.
package struct ExternalColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  /// The columns whose values move into columns that may not refer to files.
  package static func all(in transfers: TransferSet) -> [ExternalColumn] {
    transfers.entityRows.flatMap { transfer in
      transfer.assignments.flatMap(\.value.unprefixedColumns).map {
        ExternalColumn(table: transfer.source, column: $0)
      }
    }
  }
}

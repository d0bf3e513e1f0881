internal import BulkStore

/// A source column whose values must be stored in their rows.
package struct ExternalColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  /// The columns whose values move to columns that cannot refer to files.
  package static func all(in transfers: TransferSet) -> [ExternalColumn] {
    transfers.entityRows.flatMap { transfer in
      transfer.assignments.flatMap(\.value.unprefixedColumns).map {
        ExternalColumn(table: transfer.source, column: $0)
      }
    }
  }
}

internal import BulkStore

/// A column of the store that is read whose values must lie in their rows.
struct ExternalColumn: Hashable, Sendable {
  let table: String
  let column: String

  /// The columns whose values move into columns that may not refer to files.
  static func all(in transfers: TransferSet) -> [ExternalColumn] {
    transfers.entityRows.flatMap { transfer in
      transfer.assignments.flatMap(\.value.unprefixedColumns).map {
        ExternalColumn(table: transfer.source, column: $0)
      }
    }
  }
}

package import BulkStore

/// The indexes, triggers, views and virtual tables that a migration makes again although no model
/// explains them.
///
/// An index follows its columns to their new names. Anything else is made again by its own statement,
/// unless that mentions a table or column that has another name now or is gone.
package struct ObjectCarriage: Sendable {
  /// An object to make again.
  package struct Entry: Hashable, Sendable {
    /// The object as the source has it.
    package let object: FileObject
    /// The statement that makes it in the destination.
    package let sql: String
  }

  /// The objects to make again, in the order of the source.
  package let kept: [Entry]
  /// The objects that stand on something that is gone or has another name.
  package let leftBehind: [FileObject]

  init(
    _ layout: StoreLayout,
    to destination: StoreSchema,
    transfers: TransferSet
  ) {
    let columns = Self.columns(transfers)
    let lost = Self.names(in: layout.schema).subtracting(Self.names(in: destination))
    let indexes = Set(destination.indexes.map(\.signature))
    var kept: [Entry] = []
    var leftBehind: [FileObject] = []
    for object in layout.unexplainedObjects {
      if let signature = object.signature, let table = columns[signature.table] {
        let moved = signature.moved(to: table.name, columns: table.columns)
        if let moved, indexes.contains(moved) { continue }
        if let moved, let sql = moved.sql(named: object.name) {
          kept.append(Entry(object: object, sql: sql))
        } else {
          leftBehind.append(object)
        }
      } else if lost.isDisjoint(with: object.words) {
        kept.append(Entry(object: object, sql: object.sql))
      } else {
        leftBehind.append(object)
      }
    }
    self.kept = kept
    self.leftBehind = leftBehind
  }

  /// Where the columns of a source table went.
  private struct MovedTable {
    let name: String
    var columns: [String: String]
  }

  /// The destination's tables and columns, by the source's names in capitals.
  private static func columns(_ transfers: TransferSet) -> [String: MovedTable] {
    var result: [String: MovedTable] = [:]
    for transfer in transfers.entityRows + transfers.joinRows {
      let source = transfer.source.uppercased()
      guard result[source] == nil else { continue }
      var table = MovedTable(name: transfer.destination, columns: [:])
      for assignment in transfer.assignments {
        if let column = assignment.value.carriedColumn {
          table.columns[column.uppercased()] = assignment.column
        }
      }
      result[source] = table
    }
    return result
  }

  private static func names(in schema: StoreSchema) -> Set<String> {
    let entityTables = schema.entityTables.flatMap { [$0.name] + $0.columns.map(\.name) }
    let joinTables = schema.joinTables.flatMap { [$0.name] + $0.columns }
    return Set((entityTables + joinTables).map { $0.uppercased() })
  }
}

extension FileObject {
  /// The words of the statement, in capitals.
  fileprivate var words: Set<String> {
    let parts = sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return Set(parts.map { $0.uppercased() })
  }
}

internal import BulkSQLite

/// A source table whose rows move unchanged, with the entries of some of its indexes.
///
/// Its records and entries are copied without being decoded, so that nothing is sorted or looked up.
/// Corruption would be copied too; ``TableCheck`` finds it.
package struct WholeTable: Hashable, Sendable {
  /// A column of the source table.
  struct Column: Hashable, Sendable {
    let name: String
    let declaredType: String
    /// The numbers that may occur; `nil` for any.
    let numbers: [Int64]?
    /// Whether it is an alias of the row id.
    let isRowID: Bool
  }

  /// An index of the source table.
  package struct Index: Hashable, Sendable {
    let name: String
    let columns: [String]

    package init(_ name: String, on columns: [String]) {
      self.name = name
      self.columns = columns
    }
  }

  /// The table's name.
  package let name: String
  let columns: [Column]
  /// The indexes whose entries move too.
  package let indexes: [Index]
  /// The columns of keys, each with that of the entity number that must be beside it.
  let entityColumns: [EntityColumn]

  /// An entity number beside a key.
  struct EntityColumn: Hashable, Sendable {
    let key: String
    let entity: String
  }

  /// The table that a transfer reads; `nil` if the transfer changes or drops rows, or if the two tables are
  /// not defined alike.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - transfer: The transfer.
  ///   - destination: All columns of the destination table in its order, with their declared types.
  ///   - indexes: The indexes whose entries move too.
  package init?(
    _ table: FileTable,
    _ transfer: RowTransfer,
    to destination: [FileTable.Column],
    indexes: [Index]
  ) {
    guard
      transfer.movesAllRows,
      table.hasRowID, !table.hasHiddenColumns, table.uniqueConstraints.isEmpty,
      table.columns.count == destination.count
    else { return nil }
    let values = Dictionary(
      transfer.assignments.map { ($0.column, $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    var columns: [Column] = []
    for (old, new) in zip(table.columns, destination) {
      guard
        let value = values[new.name], value.isColumn(named: old.name),
        ColumnAffinity(declaredType: old.declaredType)
          == ColumnAffinity(declaredType: new.declaredType)
      else { return nil }
      columns.append(
        Column(
          name: old.name,
          declaredType: old.declaredType,
          numbers: value.keptNumbers,
          isRowID: old.name == table.rowIDColumn
        )
      )
    }
    entityColumns = transfer.assignments.compactMap(\.value.entityColumn)
    name = table.name
    self.columns = columns
    self.indexes = indexes
  }
}

extension ColumnExpression {
  /// The numbers that are unchanged where every other becomes NULL; `nil` if every value is unchanged.
  fileprivate var keptNumbers: [Int64]? {
    guard case .renumbered(let value, let numbers) = self else { return nil }
    if case .storedEntity(_, _, _, let expected) = value {
      return expected.filter { numbers[$0] != nil }
    }
    return numbers.keys.sorted()
  }

  /// The columns of a key and of the entity number beside it, if the expression uses them.
  fileprivate var entityColumn: WholeTable.EntityColumn? {
    guard
      case .renumbered(.storedEntity(.column(let entity), .column(let key), _, _), _) = self
    else { return nil }
    return WholeTable.EntityColumn(key: key, entity: entity)
  }
}

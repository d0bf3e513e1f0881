internal import BulkSQLite

/// Reads tables of a source to check whether they may move without being decoded.
///
/// It reads the file itself, so that it can run on another thread than the one that writes.
package struct TableCheck {
  private let connection: Connection

  /// - Parameter path: The store.
  /// - Throws: ``StoreError`` if the store cannot be opened.
  package init(path: String) throws(StoreError) {
    connection = try StoreError.sqlite { () throws(SQLiteError) in
      try Connection(path: path, access: .source)
    }
  }

  /// Whether all rows of a table can be read, hold values that fit their columns, come in the order of
  /// their keys, and match the entries of its indexes.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - isStopped: Called regularly; returns whether to stop.
  /// - Returns: Whether no fault was found; `false` too if the check was stopped.
  package func isSound(_ table: WholeTable, isStopped: () -> Bool) -> Bool {
    withoutActuallyEscaping(isStopped) { isStopped in
      guard
        let scan = TreeScan(path: connection.path, isStopped: isStopped),
        let places = places(table),
        let root = rootPage(of: "table", table.name),
        let sums = scan.sums(ofTable: root, table.columns.map(\.rule), groups: places),
        hasEntityNumbers(table)
      else { return false }
      for (index, (places, sum)) in zip(table.indexes, zip(places, sums)) {
        let columns = places.map { table.columns[$0].ruleInIndex }
        guard
          let root = rootPage(of: "index", index.name),
          scan.sum(ofIndex: root, columns, entryLimit: sum.count) == sum
        else { return false }
      }
      return true
    }
  }

  /// Whether every key that needs an entity number has one beside it.
  private func hasEntityNumbers(_ table: WholeTable) -> Bool {
    guard !table.entityColumns.isEmpty else { return true }
    let gaps = table.entityColumns.map {
      "(\(SQLText.quoted($0.key)) IS NOT NULL AND \(SQLText.quoted($0.entity)) IS NULL)"
    }
    do {
      return try connection.value(
        "SELECT 1 FROM main.\(SQLText.quoted(table.name)) NOT INDEXED "
          + "WHERE \(gaps.joined(separator: " OR ")) LIMIT 1"
      ) == nil
    } catch {
      return false
    }
  }

  /// The positions of the indexes' columns in the table.
  private func places(_ table: WholeTable) -> [[Int]]? {
    let places = Dictionary(
      table.columns.enumerated().map { ($1.name.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let result = table.indexes.map { $0.columns.compactMap { places[$0.uppercased()] } }
    let isComplete = zip(result, table.indexes).allSatisfy { $0.count == $1.columns.count }
    return isComplete ? result : nil
  }

  /// The root page of a table or an index.
  private func rootPage(of type: String, _ name: String) -> UInt32? {
    let value = try? connection.value(
      "SELECT rootpage FROM main.sqlite_schema WHERE type = \(SQLText.quoted(literal: type)) "
        + "AND name = \(SQLText.quoted(literal: name))"
    )
    guard case .integer(let page) = value else { return nil }
    return UInt32(exactly: page)
  }
}

extension WholeTable.Column {
  fileprivate var rule: TreeColumn {
    TreeColumn(ColumnAffinity(declaredType: declaredType), numbers: numbers, isRowID: isRowID)
  }

  /// An index stores the value of a row id alias; the table stores NULL.
  fileprivate var ruleInIndex: TreeColumn {
    TreeColumn(ColumnAffinity(declaredType: declaredType), numbers: numbers)
  }
}

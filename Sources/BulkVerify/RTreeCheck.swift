internal import BulkSQLite
internal import BulkStore

/// Checks that an R-tree has the rows of its table in which all its columns are set, at their places, and nothing else.
struct RTreeCheck {
  let tree: RTree

  /// Checks the tree in a store; one that is not there has been reported.
  func run(on store: PersistentStore, _ found: Finding) throws {
    guard store.schema.objects.contains(where: { $0.name == tree.name }) else { return }
    let (rows, first) = try store.counted(tree.differingRowsSQL)
    if rows > 0 {
      try report("\(rows) rows are not as in \(tree.table), the first with key \(first)", found)
    }
    let (entries, stray) = try store.counted(tree.strayEntriesSQL)
    if entries > 0 {
      try report("\(entries) entries of rows that do not exist, the first with key \(stray)", found)
    }
  }

  private func report(_ text: String, _ found: Finding) throws {
    try found(
      StoreDifference(
        .index,
        entity: tree.name,
        expected: "the rows of \(tree.table) with their values",
        found: text
      )
    )
  }
}

extension PersistentStore {
  /// The number of rows that a query finds, and the first key among them.
  func counted(_ sql: String) throws(StoreError) -> (count: Int64, first: Int64) {
    let statement = try connection.prepare(sql)
    guard try statement.step() else { return (0, 0) }
    return (statement.int64(at: 0), statement.int64(at: 1))
  }
}

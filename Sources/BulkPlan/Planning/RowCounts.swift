internal import BulkLowering
internal import BulkModel
internal import BulkStore

/// The rows of a source store, counted by entity and by join table.
struct RowCounts {
  /// The rows of every entity that has any, by the entity's number.
  let byEntity: [Int64: Int64]
  /// The rows of every join table, by its name.
  let byJoinTable: [String: Int64]
  /// The mean size of a row in bytes, by table.
  let meanSizes: [String: Double]

  /// Counts the rows.
  ///
  /// - Throws: ``StoreError/foreignRows(table:entityNumber:count:path:)`` if rows are of no entity of
  ///   their table.
  init(_ work: MigrationWork) throws(StoreError) {
    let store = work.store
    let schema = work.layout.schema
    var byEntity: [Int64: Int64] = [:]
    var byJoinTable: [String: Int64] = [:]
    var meanSizes: [String: Double] = [:]
    for table in schema.entityTables {
      let allowed = schema.entityNumbers(in: table)
      for (number, count) in try store.rowsByEntity(in: table.name, expecting: allowed) {
        guard let number, allowed.contains(number) else {
          throw .foreignRows(
            table: table.name,
            entityNumber: number.map(String.init) ?? "no integer",
            count: count,
            path: store.path
          )
        }
        byEntity[number] = count
      }
      if let found = store.schema.table(named: table.name) {
        meanSizes[table.name] = try store.meanRowSize(in: found)
      }
    }
    for table in schema.joinTables {
      byJoinTable[table.name] = try store.rows(in: table.name)
      meanSizes[table.name] = 40
    }
    self.byEntity = byEntity
    self.byJoinTable = byJoinTable
    self.meanSizes = meanSizes
  }
}

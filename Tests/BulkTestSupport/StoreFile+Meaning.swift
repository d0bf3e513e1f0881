internal import BulkSQLite

extension StoreFile {
  /// What the file holds, a line each, whatever the order of columns and the names of indexes.
  package func meaning() throws -> [String] {
    let schema = try FileSchema(Connection(path: path, access: .readWrite))
    var result: [String] = []
    for table in schema.tables.sorted(by: { $0.name < $1.name }) {
      let columns = table.columns.sorted { $0.name < $1.name }
      result.append("\(table.name): \(columns), \(table.primaryKey), \(table.uniqueConstraints)")
      let values = [table.rowIDName].compactMap(\.self) + columns.map { "quote(\"\($0.name)\")" }
      let list = values.joined(separator: ", ")
      result += try rows("SELECT \(list) FROM \"\(table.name)\" ORDER BY \(list)")
        .map { "\(table.name): \($0)" }
    }
    result += schema.objects.map { object in
      object.signature.map { "index \($0)" } ?? "\(object.kind) \(object.name): \(object.sql)"
    }.sorted()
    return result
  }
}

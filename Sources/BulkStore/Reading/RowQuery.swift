internal import BulkModel
internal import BulkSQLite

/// Rows of a source table, read value by value.
///
/// It runs on the same connection as a transfer, where the source is named `source`.
package struct RowQuery: Hashable, Sendable {
  package let table: String
  /// The values read of every row, after its key.
  package let columns: [SelectedColumn]
  package let conditions: [ColumnExpression]

  package init(
    _ table: String,
    _ columns: [SelectedColumn],
    where conditions: [ColumnExpression] = []
  ) {
    self.table = table
    self.columns = columns
    self.conditions = conditions
  }

  /// The statement that reads rows with keys from parameter 1 to parameter 2, at most as many as parameter
  /// 3, in ascending order.
  var sql: String {
    let values = (["s.rowid"] + columns.map(\.expression.sql)).joined(separator: ", ")
    let all = (["s.rowid BETWEEN ?1 AND ?2"] + conditions.map(\.sql)).joined(separator: " AND ")
    return "SELECT \(values) FROM source.\(SQLText.quoted(table)) AS s WHERE \(all) "
      + "ORDER BY s.rowid LIMIT ?3"
  }
}

/// The objects of a to-many relationship, read value by value for one object after another.
package struct MemberQuery: Hashable, Sendable {
  package let members: RelationshipRows
  /// The values read of every object, after its key.
  package let columns: [SelectedColumn]

  package init(_ members: RelationshipRows, _ columns: [SelectedColumn]) {
    self.members = members
    self.columns = columns
  }

  /// The statement that reads the related objects of the row whose key is parameter 1.
  var sql: String {
    let values = (["s.Z_PK"] + columns.map(\.expression.sql)).joined(separator: ", ")
    return "SELECT \(values) \(members.membersSQL(ofRow: "?1", as: "s")) "
      + members.memberOrderSQL(as: "s")
  }
}

/// Rows that were read, and whether more follow.
package struct SelectedRows: Sendable {
  package let rows: [SelectedRow]
  /// Their approximate size in memory, in bytes.
  package let bytes: Int64
  /// Whether all were read, as far as the limit of rows goes.
  package let isComplete: Bool
}

package struct SelectedRow: Hashable, Sendable {
  package let key: Int64
  package let values: [SelectedValue]

  /// The memory of a row until it is evaluated: the list of its values here and as inputs, each with the
  /// overhead of the allocator.
  private static let overhead: Int64 = 256
  private static let valueSize: Int64 = 112

  /// The approximate size of the row in memory until it is evaluated, in bytes.
  var bytes: Int64 {
    values.reduce(Self.overhead) { sum, value in
      guard case .value(let value) = value else { return sum + Self.valueSize }
      // A value is read, decoded, and converted.
      return sum + Self.valueSize + 4 * Int64(value.contentBytes)
    }
  }
}

/// A query with a prepared statement, which can be run repeatedly.
package final class PreparedQuery {
  private let statement: Statement
  private let codings: [SelectedColumn.Coding]
  /// Reads source rows without SQL, where that is possible.
  private let records: RecordSelection?

  package init(_ query: RowQuery, _ session: StoreSession) throws(StoreError) {
    statement = try session.prepare(query.sql)
    codings = query.columns.map(\.coding)
    records = try session.selection(of: query)
  }

  package init(_ query: MemberQuery, _ session: StoreSession) throws(StoreError) {
    statement = try session.prepare(query.sql)
    codings = query.columns.map(\.coding)
    records = nil
  }

  /// The first rows of a range of keys in ascending order, within a number of rows and of bytes; a single row may
  /// exceed it.
  package func rows(
    _ range: ClosedRange<Int64>,
    limit: Int64,
    byteLimit: Int64 = .max
  ) throws(StoreError) -> SelectedRows {
    if let found = records?.rows(range, limit: limit, byteLimit, codings) { return found }
    return try run([range.lowerBound, range.upperBound, limit], byteLimit)
  }

  package func members(
    of key: Int64,
    byteLimit: Int64 = .max
  ) throws(StoreError) -> SelectedRows { try run([key], byteLimit) }

  /// Passes on the related objects of the row with a key page by page, as long as a body wants more.
  package func eachPage(
    of key: Int64,
    byteLimit: Int64,
    _ body: ([SelectedRow]) throws -> Bool
  ) throws {
    try statement.bind(.integer(key), at: 1)
    defer { statement.reset() }
    while true {
      let found = try page(byteLimit)
      guard try body(found.rows), !found.isComplete else { return }
    }
  }

  private func run(_ parameters: [Int64], _ byteLimit: Int64) throws(StoreError) -> SelectedRows {
    defer { statement.reset() }
    for (index, value) in parameters.enumerated() {
      try statement.bind(.integer(value), at: Int32(index) + 1)
    }
    return try page(byteLimit)
  }

  /// The next rows, at least one if there is one.
  private func page(_ byteLimit: Int64) throws(StoreError) -> SelectedRows {
    var rows: [SelectedRow] = []
    var bytes: Int64 = 0
    while bytes < byteLimit {
      guard try statement.step() else {
        return SelectedRows(rows: rows, bytes: bytes, isComplete: true)
      }
      let row = row()
      rows.append(row)
      bytes += row.bytes
    }
    return SelectedRows(rows: rows, bytes: bytes, isComplete: false)
  }

  private func row() -> SelectedRow {
    var values: [SelectedValue] = []
    values.reserveCapacity(codings.count)
    for (offset, coding) in codings.enumerated() {
      values.append(coding.decoded(statement.value(at: Int32(offset) + 1)))
    }
    return SelectedRow(key: statement.int64(at: 0), values: values)
  }
}

extension RecordSelection {
  /// The first rows of a range; `nil` if SQLite must read even the first one.
  fileprivate func rows(
    _ range: ClosedRange<Int64>,
    limit: Int64,
    _ byteLimit: Int64,
    _ codings: [SelectedColumn.Coding]
  ) -> SelectedRows? {
    var rows: [SelectedRow] = []
    var bytes: Int64 = 0
    let areAll = self.rows(range) { key, values in
      let row = SelectedRow(key: key, values: zip(codings, values).map { $0.decoded($1) })
      rows.append(row)
      bytes += row.bytes
      return rows.count < limit && bytes < byteLimit
    }
    if !areAll, rows.isEmpty { return nil }
    return SelectedRows(rows: rows, bytes: bytes, isComplete: areAll && bytes < byteLimit)
  }
}

extension StoreSession {
  /// Reads the rows of a query without SQL; `nil` if that is not possible.
  func selection(of query: RowQuery) throws(StoreError) -> RecordSelection? {
    guard isUTF8, var compiler = try recordCompiler(of: query.table) else { return nil }
    let fields = try? query.columns.map { try compiler.field($0.expression) }
    let copy = fields.flatMap { try? compiler.copy($0, where: query.conditions) }
    return copy.flatMap { RecordSelection($0, of: compiler.source) }
  }
}

import BulkSQLite

/// A table with its indexes, and the columns for which rows have values.
struct DrawnTable {
  /// An index and its columns; the values of a column ascend or descend.
  struct Index {
    let name: String
    let terms: [(column: String, descends: Bool)]
  }

  let name: String
  /// The names of its columns with their types.
  let columns: [(name: String, type: String)]
  /// The column that is another name of the row id.
  let key: Int?
  /// Columns that no two rows have in common, as the end of its statement.
  private let unique: String
  let indexes: [Index]
  /// The columns for which rows have values.
  let given: [String]
  /// The place of the key or row id among them; `nil` if rows are numbered.
  let keyIndex: Int?

  static let types = [
    "INTEGER", "INTEGER", "VARCHAR", "REAL", "BLOB", "TIMESTAMP", "DECIMAL", "", "TEXT", "FLOAT",
    "BIGINT", "FLOATING POINT",
  ]

  init(_ name: String, _ draw: inout Draw) {
    self.name = name
    let count = draw.number(below: 16) == 0 ? 60 + draw.byteCount : 1 + draw.number(below: 7)
    let types = (0..<count).map { _ in draw.one(of: Self.types) }
    let key = draw.bool() ? draw.number(below: count) : nil
    columns = types.enumerated().map { ("c\($0.offset)", $0.element) }
    self.key = key
    let integers = columns.indices.filter {
      $0 == key || ColumnAffinity(declaredType: types[$0]) == .integer
    }
    .map { "c\($0)" }
    unique = Self.unique(integers, &draw)
    indexes = Self.indexes(of: name, integers, &draw)
    var given = columns.indices.filter { $0 == key || draw.byte() % 8 != 0 }.map { "c\($0)" }
    if draw.bool() { given.reverse() }
    if key == nil, draw.bool() { given.append("rowid") }
    if given.isEmpty { given.append("rowid") }
    self.given = given
    keyIndex = given.firstIndex(of: key.map { "c\($0)" } ?? "rowid")
  }

  private static func unique(_ integers: [String], _ draw: inout Draw) -> String {
    guard draw.number(below: 4) == 0, let first = integers.first else { return "" }
    let terms = Set([first, draw.one(of: integers)]).sorted()
    return ", UNIQUE (\(terms.map { $0 + (draw.bool() ? " DESC" : "") }.joined(separator: ", ")))"
  }

  private static func indexes(
    of table: String,
    _ integers: [String],
    _ draw: inout Draw
  ) -> [Index] {
    guard !integers.isEmpty else { return [] }
    return (0..<draw.number(below: 4)).map { number in
      var terms: [(column: String, descends: Bool)] = []
      for _ in 0...draw.number(below: 4) {
        let column = draw.one(of: integers)
        if terms.contains(where: { $0.column == column }) { continue }
        terms.append((column, draw.bool()))
      }
      return Index(name: "\(table)i\(number)", terms: terms)
    }
  }

  /// The statements that make it and its indexes.
  var sql: [String] {
    let list = columns.enumerated().map { index, column in
      "\(column.name) \(index == key ? "INTEGER PRIMARY KEY" : column.type)"
    }
    let table = "CREATE TABLE \(name) (\(list.joined(separator: ", "))\(unique))"
    return [table]
      + indexes.map { index in
        let terms = index.terms.map { $0.column + ($0.descends ? " DESC" : "") }
        return "CREATE INDEX \(index.name) ON \(name) (\(terms.joined(separator: ", ")))"
      }
  }
}

/// What happens while a table is filled.
enum DrawnStep {
  case row([DrawnValue])
  case commit
  /// The writer is created again after a commit.
  case reopen
  /// What is not committed is lost, and written again by a new process.
  case abandon
}

extension DrawnTable {
  /// The steps in which it is filled; keys ascend, or seldom repeat one another.
  func steps(_ draw: inout Draw) -> [DrawnStep] {
    var steps: [DrawnStep] = []
    // Much work finds less than many inputs do.
    let mostBytes = draw.number(below: 32) == 0 ? 3 << 19 : 1 << (12 + draw.number(below: 6))
    let mostRows = mostBytes / 128
    var key = draw.integer()
    var (bytes, rows) = (0, 0)
    while !draw.isEmpty, bytes < mostBytes, rows < mostRows {
      switch draw.number(below: 12) {
      case 0: steps.append(.commit)
      case 1: steps.append(.reopen)
      case 2: steps.append(.abandon)
      default: break
      }
      let row = given.map { _ in draw.value() }
      let size = row.reduce(0) { $0 + $1.size }
      let most = draw.number(below: 3) == 0 ? 1 << draw.number(below: 14) : 1
      let count = min(most, (mostBytes - bytes) / max(size, 8) + 1)
      let (distance, step) = (Int64(draw.byte()), Int64(Int8(bitPattern: draw.byte())))
      for number in 0..<Int64(count) {
        steps.append(.row(keyed(row.map { $0.plus(step &* number) }, key)))
        let (next, isOver) = key.addingReportingOverflow(distance == 255 ? 0 : distance + 1)
        if isOver { return steps }
        key = next
      }
      bytes += count * size
      rows += count
    }
    return steps
  }

  private func keyed(_ row: [DrawnValue], _ key: Int64) -> [DrawnValue] {
    guard let keyIndex else { return row }
    var row = row
    row[keyIndex] = .plain(.integer(key))
    return row
  }
}

extension DrawnValue {
  /// An integer plus a number; any other value as it is.
  fileprivate func plus(_ number: Int64) -> DrawnValue {
    guard case .plain(.integer(let value)) = self else { return self }
    return .plain(.integer(value &+ number))
  }
}

extension Draw {
  /// A number of a byte.
  fileprivate var byteCount: Int {
    mutating get { Int(byte()) }
  }
}

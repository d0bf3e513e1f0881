import BulkSQLite

/// A table of a source, as an entity has one.
final class DrawnSource {
  private let types: [String]
  /// The columns that are added when rows are there already.
  private let added: [String]
  private var rows: [[DrawnValue]] = []
  private var laterRows: [[DrawnValue]] = []

  init(_ draw: inout Draw) {
    types =
      ["INTEGER", "INTEGER", "INTEGER"]
      + (0...draw.number(below: 5)).map { _ in
        draw.one(of: DrawnTable.types)
      }
    added = (0..<draw.number(below: 3)).map { _ in draw.one(of: DrawnTable.types) }
  }

  /// The bytes of values after which no more rows are drawn.
  private static let mostBytes = 1 << 18
  private static let first = ["Z_ENT", "ZFOLDER", "Z1_FOLDER"]

  /// The names of its columns beside the key, which is Z_PK.
  var names: [String] {
    (0..<(types.count + added.count)).map { $0 < 3 ? Self.first[$0] : "c\($0)" }
  }

  /// Draws its rows.
  func draw(_ draw: inout Draw) {
    var (key, bytes) = (draw.integer(), 0)
    let isLater = draw.bool()
    while !draw.isEmpty, bytes < Self.mostBytes {
      let later = isLater && rows.count > 3
      let count = types.count + (later ? added.count : 0)
      let numbers = (0..<3).map { _ in DrawnValue.plain(.integer(Int64(draw.number(below: 5)))) }
      let values = numbers + (3..<count).map { _ in draw.value() }
      for _ in 0..<(draw.number(below: 4) == 0 ? draw.number(below: 256) : 1) {
        let row = [.plain(.integer(key))] + values
        if later { laterRows.append(row) } else { rows.append(row) }
        bytes += row.reduce(0) { $0 + $1.size }
        let (next, isOver) = key.addingReportingOverflow(1 + Int64(draw.number(below: 3)))
        if isOver { return }
        key = next
        if bytes >= Self.mostBytes { return }
      }
    }
  }

  /// Makes the file.
  func make(_ file: DrawnFile, _ path: String) throws {
    let connection = try file.open(path)
    let columns = zip(names, types).map { "\($0) \($1)" }.joined(separator: ", ")
    try connection.execute("CREATE TABLE s (Z_PK INTEGER PRIMARY KEY, \(columns))")
    try connection.transaction { () throws(SQLiteError) in
      try connection.insert(rows, into: "s")
    }
    for (name, type) in zip(names.dropFirst(types.count), added) {
      try connection.execute("ALTER TABLE s ADD COLUMN \(name) \(type)")
    }
    try connection.transaction { () throws(SQLiteError) in
      try connection.insert(laterRows, into: "s")
    }
  }
}

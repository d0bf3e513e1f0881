import BulkTestSupport

/// A random change of one thing in a store, of which nothing else is changed with it.
struct StoreMutation: CustomStringConvertible {
  /// What it does, as SQL or in words.
  let description: String
  private let change: (_ store: StoreFile) throws -> Void

  private init(_ description: String, _ change: @escaping (StoreFile) throws -> Void) {
    self.description = description
    self.change = change
  }

  private init(sql: String) { self.init(sql) { try $0.execute(sql) } }

  /// Applies it to a store.
  func apply(to store: StoreFile) throws { try change(store) }

  /// A mutation of a store of ``MigratedNotes``.
  static func random(
    of store: StoreFile,
    using random: inout SeededGenerator
  ) throws -> StoreMutation {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: try row(of: store, &random, "a row less") { "DELETE FROM \($0) WHERE rowid = \($1)" }
    case 1: try copiedRow(of: store, &random)
    case 2: try movedRow(of: store, &random)
    case 3: try schemaChange(of: store, &random)
    case 4: try count(of: store, &random)
    case 5: metadata(&random)
    case 6: file(&random)
    case 7, 8, 9: try swap(of: store, &random)
    default: try value(of: store, &random)
    }
  }

  private static let tables = ["ZNOTE", "ZFOLDER", "ZTAG", "Z_2TAGS"]

  // MARK: Rows

  private static func row(
    of store: StoreFile,
    _ random: inout SeededGenerator,
    _ words: String,
    _ sql: (_ table: String, _ row: Int64) -> String
  ) throws -> StoreMutation {
    let table = tables.randomElement(using: &random) ?? ""
    return StoreMutation(sql: sql(table, try key(of: store, table, &random)))
  }

  private static func key(
    of store: StoreFile,
    _ table: String,
    _ random: inout SeededGenerator
  ) throws -> Int64 {
    let rows = try store.rows("SELECT rowid FROM \(table) ORDER BY rowid")
    guard case .integer(let key)? = rows.randomElement(using: &random)?[0] else { return 0 }
    return key
  }

  /// An object more, or a pair more.
  private static func copiedRow(
    of store: StoreFile,
    _ random: inout SeededGenerator
  ) throws -> StoreMutation {
    let table = tables.randomElement(using: &random) ?? ""
    if table == "Z_2TAGS" {
      return StoreMutation(
        sql: "INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS, Z_FOK_3TAGS) SELECT Z_PK, 2, 7 FROM ZNOTE "
          + "LIMIT 1 OFFSET \(Int.random(in: 0..<20, using: &random))"
      )
    }
    let key = try key(of: store, table, &random)
    let columns = try store.columns(of: table).map(\.text).filter { $0 != "Z_PK" }
      .joined(separator: ", ")
    return StoreMutation(
      sql: "INSERT INTO \(table) (Z_PK, \(columns)) SELECT 1000, \(columns) FROM \(table) "
        + "WHERE Z_PK = \(key)"
    )
  }

  /// An object under another key.
  private static func movedRow(
    of store: StoreFile,
    _ random: inout SeededGenerator
  ) throws -> StoreMutation {
    let table = ["ZNOTE", "ZFOLDER", "ZTAG"].randomElement(using: &random) ?? ""
    let key = try key(of: store, table, &random)
    return StoreMutation(sql: "UPDATE \(table) SET Z_PK = Z_PK + 500 WHERE Z_PK = \(key)")
  }

  // MARK: Values

  private static func value(
    of store: StoreFile,
    _ random: inout SeededGenerator
  ) throws -> StoreMutation {
    let table = tables.randomElement(using: &random) ?? ""
    let key = try key(of: store, table, &random)
    let columns = try store.columns(of: table).map(\.text).filter { $0 != "Z_PK" }
    let column = columns.randomElement(using: &random) ?? ""
    let old = try store.rows("SELECT \(column) FROM \(table) WHERE rowid = \(key)")[0][0]
    let new = changed(old, column, &random)
    return StoreMutation(sql: "UPDATE \(table) SET \(column) = \(new) WHERE rowid = \(key)")
  }

  /// A value that differs from another one.
  private static func changed(
    _ old: StoredValue,
    _ column: String,
    _ random: inout SeededGenerator
  ) -> String {
    if Int.random(in: 0..<4, using: &random) == 0, old != .null { return "NULL" }
    return switch old {
    case .null: "1"
    case .integer: "\(column) + \(Int.random(in: 1...3, using: &random))"
    case .real: Bool.random(using: &random) ? "\(column) * 0.5" : "\(column) * 1.0000001"
    case .text(let text):
      ["\(column) || ' '", "upper(\(column)) || '!'", "'\(text.dropLast())'"]
        .randomElement(using: &random) ?? "''"
    case .blob(let bytes):
      bytes.isEmpty ? "x'00'" : "x'\(hex(flipping(bytes, &random)))'"
    }
  }

  private static func flipping(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var result = bytes
    result[Int.random(in: 0..<bytes.count, using: &random)] ^=
      1 << UInt8.random(in: 0..<8, using: &random)
    return result
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Two notes whose values of a column are exchanged.
  private static func swap(
    of store: StoreFile,
    _ random: inout SeededGenerator
  ) throws -> StoreMutation {
    let column =
      ["ZTITLE", "ZFOLDER", "ZSTARS", "ZRANK", "ZDATA"].randomElement(using: &random) ?? ""
    let first = try key(of: store, "ZNOTE", &random)
    // Notes whose keys differ by two are in different folders.
    let second = first == 39 ? first - 2 : first + 2
    return StoreMutation(
      sql: "UPDATE ZNOTE SET \(column) = (SELECT n.\(column) FROM ZNOTE n WHERE n.Z_PK = "
        + "\(first + second) - ZNOTE.Z_PK) WHERE Z_PK IN (\(first), \(second))"
    )
  }

  // MARK: The store

  private static func schemaChange(
    of store: StoreFile,
    _ random: inout SeededGenerator
  ) throws -> StoreMutation {
    let indexes = try store.names(of: "index").map(\.text)
    return StoreMutation(
      sql: [
        "DROP INDEX \(indexes.randomElement(using: &random) ?? "")",
        "DROP TABLE \(tables.randomElement(using: &random) ?? "")",
        "CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY)", "CREATE INDEX OTHER ON ZNOTE (ZTITLE)",
        "ALTER TABLE ZTAG ADD COLUMN ZCOLOR VARCHAR", "DELETE FROM Z_MODELCACHE",
        "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 2)",
        "ALTER TABLE ZTAG RENAME TO OLD; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, "
          + "Z_OPT INTEGER, ZNAME VARCHAR NOT NULL); INSERT INTO ZTAG SELECT * FROM OLD; DROP TABLE OLD",
        "UPDATE Z_2TAGS SET Z_3TAGS = Z_3TAGS + 0.5 WHERE Z_2NOTES = 5",
        "UPDATE Z_2TAGS SET Z_2NOTES = CAST(Z_2NOTES AS BLOB) WHERE Z_2NOTES = 7",
        "CREATE TRIGGER OTHER AFTER INSERT ON ZTAG BEGIN DELETE FROM ZNOTE; END",
      ].randomElement(using: &random) ?? ""
    )
  }

  /// A change of the table of entities; of keys that were given, fewer.
  private static func count(
    of store: StoreFile,
    _ random: inout SeededGenerator
  ) throws -> StoreMutation {
    let name = ["Note", "Folder", "Tag"].randomElement(using: &random) ?? ""
    let change =
      ["Z_MAX = 1", "Z_ENT = Z_ENT + 7", "Z_NAME = 'Other'", "Z_SUPER = 1"]
      .randomElement(using: &random) ?? ""
    return StoreMutation(sql: "UPDATE Z_PRIMARYKEY SET \(change) WHERE Z_NAME = '\(name)'")
  }

  private static func metadata(_ random: inout SeededGenerator) -> StoreMutation {
    StoreMutation(
      sql: [
        "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = 'x'",
        "UPDATE Z_METADATA SET Z_VERSION = Z_VERSION + 1", "UPDATE Z_METADATA SET Z_PLIST = NULL",
        "INSERT INTO Z_METADATA SELECT Z_VERSION + 1, Z_UUID, Z_PLIST FROM Z_METADATA",
      ].randomElement(using: &random) ?? ""
    )
  }

  /// A change of the only value that lies in a file of its own, or a file more.
  private static func file(_ random: inout SeededGenerator) -> StoreMutation {
    if Int.random(in: 0..<6, using: &random) == 0 {
      return StoreMutation("a file more") {
        try Data([1]).write(to: URL(fileURLWithPath: $0.externalValues + "/0"))
      }
    }
    let bytes: [[UInt8]?] = [nil, [], [1, 2], [1, 2, 3, 4], [1, 2, 7]]
    let chosen = bytes.randomElement(using: &random) ?? nil
    return StoreMutation("the external value becomes \(chosen.map { "\($0)" } ?? "nothing")") {
      let path = $0.externalValues + "/" + MigratedNotes.image
      try FileManager.default.removeItem(atPath: path)
      if let chosen { try Data(chosen).write(to: URL(fileURLWithPath: path)) }
    }
  }
}

extension StoreFile {
  /// The folder of values that lie in files of their own.
  var externalValues: String {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT/_EXTERNAL_DATA"
  }
}

extension StoredValue {
  /// A text as it is.
  fileprivate var text: String { if case .text(let text) = self { text } else { "" } }
}

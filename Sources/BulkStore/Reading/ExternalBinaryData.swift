internal import BulkSQLite
internal import BulkPlatform

/// Where a store keeps binary values outside its database.
package enum ExternalBinaryData {
  /// The hidden folder beside a store, `.<name>_SUPPORT`.
  package static func supportFolder(of store: String) -> String {
    let url = URL(fileURLWithPath: store)
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
  }

  /// The name of the file to which a column's bytes refer: a byte 2, then 36 characters and a NUL.
  ///
  /// `nil` if it is not a reference as Core Data writes it.
  static func fileName(in bytes: [UInt8]) -> String? {
    guard bytes.count == 38, bytes[0] == 2, bytes[37] == 0 else { return nil }
    let name = String(decoding: bytes[1..<37], as: UTF8.self)
    return name.contains("/") ? nil : name
  }

  /// True, in SQL, for a column's value that is a reference to a file.
  package static func condition(on column: String) -> String {
    "length(\(column)) = 38 AND typeof(\(column)) = 'blob' "
      + "AND substr(\(column), 1, 1) = x'02' AND substr(\(column), 38) = x'00'"
  }

  /// The file with a value, by the name in its row.
  package static func file(_ name: String, of store: String) -> String {
    "\(supportFolder(of: store))/_EXTERNAL_DATA/\(name)"
  }
}

/// The external values of one column whose files are missing.
package struct MissingExternalFiles: Hashable, Sendable {
  /// The column, as `TABLE.COLUMN`.
  package let column: String
  /// The number of values whose file is missing.
  package let count: Int64
  /// The names of the first of them, at most ten.
  package let names: [String]

  fileprivate static let shownNames = 10
}

extension PersistentStore {
  /// The number of values of a binary column that are in files beside the store.
  package func externalValues(in table: String, column: String) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    try eachExternalFile(in: table, column: column) { _ in count += 1 }
    return count
  }

  /// The values of a binary column whose files are missing; `nil` if there are none.
  package func missingExternalFiles(
    in table: String,
    column: String
  ) throws(StoreError) -> MissingExternalFiles? {
    var count: Int64 = 0
    var names: [String] = []
    let manager = FileManager.default
    try eachExternalFile(in: table, column: column) { name in
      // Core Data gives no names that lead to another folder.
      let isPlain = !name.contains("/") && !name.isEmpty
      if isPlain, manager.fileExists(atPath: ExternalBinaryData.file(name, of: path)) { return }
      count += 1
      if names.count < MissingExternalFiles.shownNames { names.append(name) }
    }
    guard count > 0 else { return nil }
    return MissingExternalFiles(column: "\(table).\(column)", count: count, names: names)
  }

  /// Calls a body with the name of every file to which a column refers: a byte 2, then 36 characters
  /// and a NUL.
  package func eachExternalFile(
    in table: String,
    column: String,
    _ body: (String) -> Void
  ) throws(StoreError) {
    let name = SQLText.quoted(column)
    // The length is in the record's header, so large values in the row are not read.
    let statement = try connection.prepare(
      "SELECT substr(\(name), 2, 36) FROM \(SQLText.quoted(table)) "
        + "WHERE \(ExternalBinaryData.condition(on: name))"
    )
    while try statement.step() {
      body(String(decoding: statement.blob(at: 0), as: UTF8.self))
    }
  }
}

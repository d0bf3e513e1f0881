internal import BulkSQLite
internal import BulkSupport

/// Where a store keeps binary values outside its database.
package enum ExternalBinaryData {
  package static func supportFolder(of store: String) -> String {
    let url = URL(fileURLWithPath: store, isDirectory: false)
    let name = url.deletingPathExtension().lastPathComponent
    // Without the hint the folder would be looked for.
    return url.deletingLastPathComponent()
      .appendingPathComponent(".\(name)_SUPPORT", isDirectory: false).path
  }

  /// The folder of a store, out of which links among its external values may not lead.
  package static func bounds(of store: String) -> String {
    URL(fileURLWithPath: store, isDirectory: false).deletingLastPathComponent().path
  }

  /// The name of the file to which a column's bytes refer: a byte 2, then 36 characters and a NUL.
  ///
  /// `nil` if it is not a reference as Core Data writes it.
  static func fileName(in bytes: [UInt8]) -> String? {
    guard bytes.count == 38, bytes[0] == 2, bytes[37] == 0 else { return nil }
    let name = String(decoding: bytes[1..<37], as: UTF8.self)
    return name.contains("/") ? nil : name
  }

  package static func reference(to name: String) -> [UInt8] { [2] + Array(name.utf8) + [0] }

  /// True, in SQL, for a column's value that is a reference to a file.
  package static func condition(on column: String) -> String {
    "length(\(column)) = 38 AND typeof(\(column)) = 'blob' "
      + "AND substr(\(column), 1, 1) = x'02' AND substr(\(column), 38) = x'00'"
  }

  package static func file(_ name: String, of store: String) -> String {
    "\(supportFolder(of: store))/_EXTERNAL_DATA/\(name)"
  }

  /// Whether a name leads to no other folder, as Core Data gives them.
  package static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && !name.utf8.contains(0)
  }

  package static func hasFile(_ name: String, of store: String) -> Bool {
    isPlain(name) && FileManager.default.fileExists(atPath: file(name, of: store))
  }
}

/// The external values of one column whose files are missing.
package struct MissingExternalFiles: Hashable, Sendable {
  package let column: ExternalColumn
  /// The number of such values, by the numbers of their objects' entities.
  package fileprivate(set) var counts: [Int64: Int64] = [:]
  /// The names of the files of the first of them, at most ten.
  package fileprivate(set) var names: [String] = []

  package var count: Int64 { counts.values.reduce(0, +) }

  fileprivate static let shownNames = 10
}

/// The names of the files to which a column refers, one after another.
package struct ExternalFileNames: ~Copyable {
  private let statement: Statement

  fileprivate init(_ statement: consuming Statement) { self.statement = statement }

  /// The number of the entity of the object with the last name.
  var entity: Int64 { statement.int64(at: 1) }

  package func next() throws(StoreError) -> String? {
    guard try statement.step() else { return nil }
    return String(decoding: statement.blob(at: 0), as: UTF8.self)
  }
}

extension PersistentStore {
  package func externalValues(in table: String, column: String) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    let names = try externalFiles(in: table, column: column)
    while try names.next() != nil { count += 1 }
    return count
  }

  /// The external values whose files are missing, by the columns that have such values.
  package func missingExternalFiles(
    in schema: StoreSchema
  ) throws(StoreError) -> [MissingExternalFiles] {
    var result: [MissingExternalFiles] = []
    for column in schema.externalColumns {
      var missing = MissingExternalFiles(column: column)
      let names = try externalFiles(in: column.table, column: column.name)
      while let name = try names.next() {
        if ExternalBinaryData.hasFile(name, of: path) { continue }
        missing.counts[names.entity, default: 0] += 1
        if missing.names.count < MissingExternalFiles.shownNames { missing.names.append(name) }
      }
      if missing.count > 0 { result.append(missing) }
    }
    return result
  }

  package func externalFiles(
    in table: String,
    column: String
  ) throws(StoreError) -> ExternalFileNames {
    let name = SQLText.quoted(column)
    // The length is in the record's header, so large values in the row are not read.
    return ExternalFileNames(
      try connection.prepare(
        "SELECT substr(\(name), 2, 36), Z_ENT FROM \(SQLText.quoted(table)) "
          + "WHERE \(ExternalBinaryData.condition(on: name))"
      )
    )
  }
}

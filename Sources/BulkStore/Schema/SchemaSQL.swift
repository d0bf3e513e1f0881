internal import BulkSQLite

/// The statements that make the tables of a store, character by character as Core Data writes them.
package enum SchemaSQL {
  package static let primaryKeyTable =
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
    + "Z_MAX INTEGER)"
  package static let metadataTable =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
  package static let modelCacheTable = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  package static func create(_ table: EntityTable) -> String {
    let single = Set(table.uniqueConstraints.filter { $0.count == 1 }.map { $0[0] })
    let columns = table.columns.map { column in
      "\(name(column.name)) \(column.declaredType)\(single.contains(column.name) ? " UNIQUE" : "")"
    }
    let constraints = table.uniqueConstraints.filter { $0.count > 1 }.map { names in
      "CONSTRAINT \(name(names.joined(separator: "_"))) "
        + "UNIQUE (\(names.map(name).joined(separator: ", ")))"
    }
    let parts = (columns + constraints).joined(separator: ", ")
    return "CREATE TABLE \(name(table.name)) ( \(parts)\(constraints.isEmpty ? " " : ""))"
  }

  package static func create(_ table: JoinTable) -> String {
    let columns = table.columns.map { "\(name($0)) INTEGER" }
    let key = "PRIMARY KEY (\(table.primaryKey.map(name).joined(separator: ", ")))"
    return "CREATE TABLE \(name(table.name)) ( \((columns + [key]).joined(separator: ", ")) )"
  }

  /// A foreign declared type as it is written in a statement: a usual one unquoted, any other in quotes,
  /// since SQLite accepts any text as a type.
  static func type(_ type: String) -> String {
    guard !type.isEmpty else { return "" }
    let parts = type.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    let isSize =
      parts.count == 1
      || parts[1].hasSuffix(")")
        && parts[1].dropLast().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ",") }
        && parts[1].first?.isNumber == true && parts[1].dropLast().last?.isNumber == true
    return isSize && usualTypes.contains(parts[0].uppercased()) ? type : SQLText.quoted(type)
  }

  private static let usualTypes: Set<String> = [
    "INTEGER", "INT", "BIGINT", "SMALLINT", "BOOLEAN", "REAL", "DOUBLE", "FLOAT", "NUMERIC",
    "DECIMAL",
    "DATE", "DATETIME", "TIMESTAMP", "CHAR", "VARCHAR", "TEXT", "BLOB",
  ]

  /// A name as Core Data writes it: unquoted if it is plain, otherwise in quotes.
  ///
  /// Core Data's own names begin with Z and are never SQL keywords, so they need no quotes.
  package static func name(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    let isOwn = name.hasPrefix("Z") || name == "REFLEXIVE"
    return isPlain && isOwn ? name : SQLText.quoted(name)
  }
}

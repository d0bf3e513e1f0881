internal import BulkModel

/// A column of an entity table.
package struct SchemaColumn: Hashable, Sendable {
  package enum Role: Hashable, Sendable {
    /// `Z_PK`, the key of the row.
    case primaryKey
    /// `Z_ENT`, the number of the row's entity.
    case entity
    /// `Z_OPT`, the version count of the row.
    case version
    /// An attribute, or an element of a composite one, see ``AttributeDescription/leaves``.
    case attribute(PropertyKey)
    /// The key of a to-one relationship's object.
    case foreignKey(PropertyKey)
    /// The entity number of a to-one relationship's object.
    case foreignEntity(PropertyKey)
    /// The position in the ordered inverse of a to-one relationship.
    case orderKey(PropertyKey)
    /// The key of the owner of a to-many relationship that has no inverse.
    case hiddenForeignKey(PropertyKey)
    /// The position in an ordered to-many relationship that has no inverse.
    case hiddenOrderKey(PropertyKey)
    case unmanaged
  }

  package let name: String
  /// As Core Data writes it.
  package let declaredType: String
  package let role: Role

  package init(_ name: String, _ declaredType: String, _ role: Role) {
    self.name = name
    self.declaredType = declaredType
    self.role = role
  }

  static let leading = [
    SchemaColumn("Z_PK", "INTEGER PRIMARY KEY", .primaryKey),
    SchemaColumn("Z_ENT", "INTEGER", .entity),
    SchemaColumn("Z_OPT", "INTEGER", .version),
  ]
}

extension AttributeType {
  var declaredType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .objectID: "INTEGER"
    case .date: "TIMESTAMP"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binaryData, .undefined, .composite: "BLOB"
    }
  }

  /// The group in which a table lists columns of this type; 1 is listed entity by entity.
  var columnGroup: Int {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .objectID: 1
    case .date, .double, .float: 3
    case .decimal: 4
    case .string: 5
    case .uuid: 6
    case .uri: 7
    case .transformable, .undefined, .composite: 8
    case .binaryData: 9
    }
  }
}

/// Makes names unique in one table, by appending 1, 2, 3 … to the later one.
struct ColumnNames {
  private var taken: Set<String>

  /// Letters of ASCII in the names are capitals.
  init(taken: [String] = []) { self.taken = Set(taken) }

  mutating func unique(_ wanted: String) -> String {
    var name = wanted
    var suffix = 0
    while !taken.insert(name).inserted {
      suffix += 1
      name = wanted + String(suffix)
    }
    return name
  }
}

extension String {
  /// In the capitals that SQLite knows, and the C library in the locale of most programs: those of ASCII.
  var asciiUppercased: String {
    String(
      decoding: utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 },
      as: UTF8.self
    )
  }
}

/// A column whose values may be in files beside the store.
package struct ExternalColumn: Hashable, Sendable {
  package let table: String
  package let name: String
  /// The attribute, with the entity that declares it.
  package let attribute: PropertyKey
}

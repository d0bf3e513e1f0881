package import BulkSupport

/// A derived attribute: how its values are computed, and the triggers by which Core Data updates them.
///
/// Source: formats/store.md 9.1, 9.2 and formats/migration.md 7.1.
package struct DerivedAttribute: Hashable, Sendable {
  package enum Derivation: Hashable, Sendable {
    case now
    /// A random number, reduced to the bits of a mask.
    case random(mask: Int64)
    /// A column of the row, or of the row to which a to-one relationship leads; a function of it, if there is one.
    case value(of: String, along: RelationshipRows?, TextFunction?)
    /// All rows to which a to-many relationship leads, or a column of theirs.
    case members(RelationshipRows, Aggregate, of: String?)
  }

  /// A function of many rows, as SQL names it.
  package enum Aggregate: String, Hashable, Sendable {
    case count = "COUNT"
    case sum = "SUM"
    case least = "MIN"
    case greatest = "MAX"

    /// The function of a column in SQL; without rows it is 0, the minimum and the maximum are NULL.
    fileprivate func sql(_ column: String) -> String {
      switch self {
      case .count, .sum: "IFNULL(\(rawValue)(\(column)), 0)"
      case .least, .greatest: "\(rawValue)(\(column))"
      }
    }
  }

  package let key: PropertyKey
  package let table: String
  package let column: String
  package let derivation: Derivation
  /// The numbers of the attribute's entity and of those that inherit from it.
  package let entityNumbers: ClosedRange<Int64>
  /// Whether the table holds rows of other entities too.
  let sharesTable: Bool

  /// The value of a row in SQL, with functions that Core Data has.
  func value(ofRow row: String) -> String {
    switch derivation {
    case .now: return "NSCoreDataNow()"
    case .random(let mask): return "RANDOM() & \(mask)"
    case .value(let column, nil, let function):
      return function.sql("\(row).\(SchemaSQL.name(column))")
    case .value(let column, let rows?, let function):
      return
        "(SELECT \(function.sql(SchemaSQL.name(column))) FROM \(SchemaSQL.name(rows.farTable)) "
        + "WHERE Z_PK = \(row).\(SchemaSQL.name(rows.farColumn)))"
    case .members(let rows, let aggregate, let column):
      return rows.total(aggregate, of: column, owner: "\(row).Z_PK")
    }
  }
}

extension RelationshipRows {
  func total(
    _ aggregate: DerivedAttribute.Aggregate,
    of column: String?,
    owner key: String
  ) -> String {
    let (table, near) = (SchemaSQL.name(table), SchemaSQL.name(nearColumn))
    guard isSymmetric else {
      let value = aggregate.sql(column.map(SchemaSQL.name) ?? near)
      return "(SELECT \(value) FROM \(table) WHERE \(near) = \(key))"
    }
    // Either column may have the key.
    let far = SchemaSQL.name(farColumn)
    return "(SELECT COUNT(*) FROM (SELECT \(far) FROM \(table) WHERE \(near) = \(key) "
      + "UNION SELECT \(near) FROM \(table) WHERE \(far) = \(key)))"
  }
}

extension TextFunction {
  var sqlName: String {
    switch self {
    case .uppercase: "NSCoreDataToUpper"
    case .lowercase: "NSCoreDataToLower"
    case .canonical: "NSCoreDataCanonical"
    }
  }
}

extension TextFunction? {
  /// The function of a value in SQL; the value without a function.
  func sql(_ value: String) -> String { map { "\($0.sqlName)(\(value))" } ?? value }
}

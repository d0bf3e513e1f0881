internal import BulkSQLite

/// A derived attribute whose value Core Data updates by triggers.
package struct DerivedAttribute: Hashable, Sendable {
  /// What the value is computed from.
  package enum Derivation: Hashable, Sendable {
    /// The number of rows of a table that refer to the row by a column.
    case count(table: String, foreignKey: String)
    /// A column of the row of another table to which a column of the row refers.
    case lookup(foreignKey: String, table: String, column: String)
  }

  /// The attribute.
  package let key: PropertyKey
  /// The table with the attribute's rows.
  package let table: String
  /// The attribute's column.
  package let column: String
  /// What its value is computed from.
  package let derivation: Derivation
  /// The numbers of the attribute's entity and of those that inherit from it.
  package let entityNumbers: ClosedRange<Int64>
  /// Whether the table holds rows of other entities too.
  package let sharesTable: Bool

  /// The statement that computes the value of every row.
  var updateSQL: String {
    let own = SQLText.quoted(table)
    let value =
      switch derivation {
      case .count(let child, let foreignKey):
        "(SELECT count(*) FROM main.\(SQLText.quoted(child)) AS c "
          + "WHERE c.\(SQLText.quoted(foreignKey)) = \(own).Z_PK)"
      case .lookup(let foreignKey, let other, let column):
        "(SELECT \(SQLText.quoted(column)) FROM main.\(SQLText.quoted(other)) AS c "
          + "WHERE c.Z_PK = \(own).\(SQLText.quoted(foreignKey)))"
      }
    return "UPDATE main.\(own) SET \(SQLText.quoted(column)) = \(value) "
      + "WHERE Z_ENT BETWEEN \(entityNumbers.lowerBound) AND \(entityNumbers.upperBound)"
  }
}

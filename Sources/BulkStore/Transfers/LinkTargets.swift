package import BulkSQLite

/// Finds the objects that links lead to, while the rows that hold these are written.
package typealias LinkTargets = BulkSQLite.LinkTargets

extension ColumnExpression {
  /// The key of the object that a link leads to from a source object with a key.
  package static func linkedKey(_ link: Int, key: ColumnExpression) -> ColumnExpression {
    .linked(link, .key, key: key)
  }

  /// The number of the entity of that object.
  package static func linkedEntity(_ link: Int, key: ColumnExpression) -> ColumnExpression {
    .linked(link, .entityNumber, key: key)
  }
}

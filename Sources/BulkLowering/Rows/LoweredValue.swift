package import BulkMapping
package import BulkStore

/// How the column of a destination attribute gets its value.
package enum LoweredValue: Hashable, Sendable {
  /// By SQL over the source row.
  case sql(ColumnExpression)
  /// By evaluation.
  case program(LoweredProgram)
  /// By a function of the mapping's policy, with what its arguments give.
  case policy(selector: String, arguments: [ExpressionProgram])
}

/// A value that is evaluated page by page.
///
/// A converted value is written as `ColumnCoding` puts it into the attribute's column.
package struct LoweredProgram: Hashable, Sendable {
  /// The expression.
  package let program: ExpressionProgram
  /// How its values become the attribute's.
  package let conversion: AttributeConversion
}

/// Which source rows a mapping reads: those that satisfy both parts.
package struct LoweredFilter: Hashable, Sendable {
  /// What SQL says; `nil` if it says nothing.
  package let condition: RowCondition?
  /// What is evaluated; `nil` if SQL says all.
  package let program: PredicateProgram?
}

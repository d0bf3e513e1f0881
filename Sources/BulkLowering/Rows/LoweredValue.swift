package import BulkMapping
package import BulkStore

/// The source of a destination attribute's column value.
package enum LoweredValue: Hashable, Sendable {
  /// SQL over the source row.
  case sql(ColumnExpression)
  /// Evaluation.
  case program(LoweredProgram)
  /// A function of the mapping's policy, with its arguments.
  case policy(selector: String, arguments: [ExpressionProgram])
}

/// A value that is evaluated page by page.
///
/// `ColumnCoding` writes a converted value to the attribute's column.
package struct LoweredProgram: Hashable, Sendable {
  /// The expression.
  package let program: ExpressionProgram
  /// The conversion of its values to the attribute's type.
  package let conversion: AttributeConversion
}

/// The filter of a mapping's source rows, which must satisfy both parts.
package struct LoweredFilter: Hashable, Sendable {
  /// The part that SQL tests; `nil` if there is none.
  package let condition: RowCondition?
  /// The part that is evaluated; `nil` if SQL tests all.
  package let program: PredicateProgram?
}

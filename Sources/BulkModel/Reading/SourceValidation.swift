/// The limits of an attribute's values, as the predicates that Core Data makes of them.
///
/// A compiled model holds `SELF >= 0` for the least value of a number or a date, `length >= 1` for
/// the least length of a string, and `SELF MATCHES "…"` for its pattern.
enum SourceValidation {
  static func predicates(
    _ context: SourceContext,
    _ type: AttributeType
  ) throws(ModelError) -> [Predicate] {
    switch type {
    case .string:
      let length = ValueExpression.keyPath("length", of: .evaluatedObject)
      let limits = try Self.limits(context, of: length, type: .integer64)
      guard let pattern = context.element.text("regularExpressionString") else { return limits }
      let match = Predicate.Comparison(.evaluatedObject, .matches, .constant(.string(pattern)))
      return limits + [.comparison(match)]
    case .date:
      // The texts of a date's limits are localised; these numbers say the same.
      let least = try context.double("minDateTimeInterval")
      let greatest = try context.double("maxDateTimeInterval")
      return limits(least.map { .date($0) }, greatest.map { .date($0) }, of: .evaluatedObject)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return try limits(context, of: .evaluatedObject, type: type)
    case .undefined, .boolean, .binaryData, .uuid, .uri, .transformable, .objectID, .composite:
      return []
    }
  }

  private static func limits(
    _ context: SourceContext,
    of subject: ValueExpression,
    type: AttributeType
  ) throws(ModelError) -> [Predicate] {
    try limits(
      limit(context, "minValueString", type), limit(context, "maxValueString", type), of: subject)
  }

  private static func limit(
    _ context: SourceContext,
    _ attribute: String,
    _ type: AttributeType
  ) throws(ModelError) -> AttributeValue? {
    guard let text = context.element.text(attribute) else { return nil }
    guard let value = SourceValue.value(text, of: type) else {
      throw context.fault("\(attribute) is \(text), which is no \(type.name)")
    }
    return value
  }

  private static func limits(
    _ least: AttributeValue?,
    _ greatest: AttributeValue?,
    of subject: ValueExpression
  ) -> [Predicate] {
    let lower = least.map {
      Predicate.comparison(.init(subject, .greaterThanOrEqualTo, .constant($0)))
    }
    let upper = greatest.map {
      Predicate.comparison(.init(subject, .lessThanOrEqualTo, .constant($0)))
    }
    return [lower, upper].compactMap(\.self)
  }
}

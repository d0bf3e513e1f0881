/// The limits of an attribute's values, as an editor stores them.
struct ValidationLimits {
  var least: AttributeValue?
  var greatest: AttributeValue?
  var pattern: String?

  /// The predicates into which Core Data translates the limits.
  ///
  /// A compiled model has `SELF >= 0` for the minimum of a number or a date, `length >= 1` for the minimum
  /// length of a string, and `SELF MATCHES "…"` for its pattern.
  func predicates(of type: AttributeType) -> [ValuePredicate] {
    let subject: ValueExpression
    switch type {
    case .string: subject = .keyPath("length", of: .evaluatedObject)
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      subject = .evaluatedObject
    case .undefined, .boolean, .binaryData, .uuid, .uri, .transformable, .objectID, .composite:
      return []
    }
    let lower = least.map {
      ValuePredicate.Comparison(subject, .greaterThanOrEqualTo, .constant($0))
    }
    let upper = greatest.map {
      ValuePredicate.Comparison(subject, .lessThanOrEqualTo, .constant($0))
    }
    let match = pattern.map {
      ValuePredicate.Comparison(.evaluatedObject, .matches, .constant(.string($0)))
    }
    return [lower, upper, match].compactMap(\.self).map { .comparison($0) }
  }
}

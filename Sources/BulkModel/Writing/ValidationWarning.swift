/// The error numbers that a compiled model lists beside its validation predicates
/// (`NSValidationNumberTooSmallError` and so on, CoreDataErrors.h).
enum ValidationWarning {
  private static let general: Int64 = 1550
  private static let numberTooLarge: Int64 = 1610
  private static let numberTooSmall: Int64 = 1620
  private static let dateTooLate: Int64 = 1630
  private static let dateTooSoon: Int64 = 1640
  private static let stringTooLong: Int64 = 1660
  private static let stringTooShort: Int64 = 1670
  private static let stringPatternMatching: Int64 = 1680

  /// The number for a predicate on values of a type.
  static func number(of predicate: ValuePredicate, _ type: AttributeType) -> Int64 {
    guard case .comparison(let comparison) = predicate else { return general }
    switch comparison.operator {
    case .matches: return type == .string ? stringPatternMatching : general
    case .greaterThanOrEqualTo:
      if type == .string { return stringTooShort }
      return type == .date ? dateTooSoon : numberTooSmall
    case .lessThanOrEqualTo:
      if type == .string { return stringTooLong }
      return type == .date ? dateTooLate : numberTooLarge
    case .lessThan, .greaterThan, .equalTo, .notEqualTo, .like, .beginsWith, .endsWith, .in,
      .contains, .between:
      return general
    }
  }
}

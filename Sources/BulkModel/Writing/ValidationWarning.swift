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
    switch (comparison.operator, type) {
    case (.matches, .string): return stringPatternMatching
    case (.greaterThanOrEqualTo, .string): return stringTooShort
    case (.lessThanOrEqualTo, .string): return stringTooLong
    case (.greaterThanOrEqualTo, .date): return dateTooSoon
    case (.lessThanOrEqualTo, .date): return dateTooLate
    case (.greaterThanOrEqualTo, _): return numberTooSmall
    case (.lessThanOrEqualTo, _): return numberTooLarge
    default: return general
    }
  }
}

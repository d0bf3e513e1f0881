internal import BulkModel
internal import BulkPlatform

/// A class method that gives a value.
///
/// Each stands for an expression without it. nil as an argument gives nil.
struct ClassMethod: Sendable {
  let className: String
  let selector: String
  /// The expression without the method: functions, constants and methods of values.
  ///
  /// It takes as many arguments as the selector has colons.
  let expression: @Sendable ([ValueExpression]) -> ValueExpression

  static let rows: [ExampleRow<ClassMethod>] = [
    row("NSString", "string", is: "''") { _ in .constant(.string("")) },
    row("NSString", "stringWithString:", "'Abc'", is: "'Abc'") { $0[0] },
    row("NSNumber", "numberWithBool:", "2", is: "TRUE") { $0[0].sent("boolValue") },
    row("NSNumber", "numberWithInteger:", "1.5", is: "1") { $0[0].sent("integerValue") },
    row("NSNumber", "numberWithDouble:", "2", is: "2.0") { $0[0].sent("doubleValue") },
    row("NSDecimalNumber", "zero", is: "CAST(0, 'NSDecimalNumber')") { _ in
      .constant(.decimal(0))
    },
    row("NSDecimalNumber", "one", is: "CAST(1, 'NSDecimalNumber')") { _ in .constant(.decimal(1)) },
    row(
      "NSDecimalNumber",
      "decimalNumberWithString:",
      "'1.5'",
      is: "CAST(1.5, 'NSDecimalNumber')"
    ) { $0[0].cast(to: .decimal) },
    row("NSDate", "date", is: "now()") { _ in now },
    row(
      "NSDate",
      "dateWithTimeIntervalSinceReferenceDate:",
      "60",
      is: "CAST(60, 'NSDate')"
    ) { $0[0].cast(to: .date) },
    row("NSDate", "dateWithTimeIntervalSince1970:", "978307260", is: "CAST(60, 'NSDate')") {
      let seconds = ValueExpression.constant(.double(FoundationMethod.secondsOf2001))
      return .predefined(selector: "from:subtract:", arguments: [$0[0], seconds]).cast(to: .date)
    },
    row("NSDate", "dateWithTimeIntervalSinceNow:", "0", is: "now()") {
      .predefined(selector: "add:to:", arguments: [now.cast(to: .number), $0[0]]).cast(to: .date)
    },
    // Foundation uses dates in the years 0 and 4001.
    row("NSDate", "distantPast", is: "CAST(-63114076800, 'NSDate')") { _ in
      .constant(.date(-63_114_076_800))
    },
    row("NSDate", "distantFuture", is: "CAST(63113904000, 'NSDate')") { _ in
      .constant(.date(63_113_904_000))
    },
    row("NSData", "data", is: "CAST('', 'NSData')") { _ in .constant(.binary([])) },
    row(
      "NSURL",
      "URLWithString:",
      "'https://a.example'",
      is: "CAST('https://a.example', 'NSURL')"
    ) { $0[0].cast(to: .uri) },
    row("NSArray", "array", is: "{}") { _ in .aggregate([]) },
    row("NSArray", "arrayWithObject:", "5", is: "{5}") { .aggregate($0) },
    row("NSSet", "setWithArray:", "{5, 5, 6}", is: "{5, 6} UNION {}") { $0[0].sent("set") },
    row("NSNull", "null", is: "NIL") { _ in .constant(.null) },
  ]

  private static func row(
    _ className: String,
    _ selector: String,
    _ argument: String = "",
    is value: String,
    expression: @escaping @Sendable ([ValueExpression]) -> ValueExpression
  ) -> ExampleRow<ClassMethod> {
    let method = ClassMethod(className: className, selector: selector, expression: expression)
    let call = "FUNCTION(CAST('\(className)', 'Class'), '\(selector)'"
    return ExampleRow(method, call, argument, is: value)
  }

  private static let now = ValueExpression.predefined(selector: "now", arguments: [])
}

extension ValueExpression {
  fileprivate func sent(_ selector: String) -> ValueExpression {
    .function(target: self, selector: selector, arguments: [])
  }

  /// `CAST` of the value.
  func cast(to type: CastType) -> ValueExpression { cast(to: type.rawValue) }

  /// `CAST` of the value to a type or to a class, by name.
  func cast(to name: String) -> ValueExpression {
    .predefined(selector: "castObject:toType:", arguments: [self, .constant(.string(name))])
  }
}

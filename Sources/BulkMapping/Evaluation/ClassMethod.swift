internal import BulkModel
internal import BulkPlatform

/// A class method that gives a value, by the class and the selector.
///
/// Each stands for an expression without it. nil as an argument gives nil.
enum ClassMethod: String, Hashable, Sendable, CaseIterable {
  case string = "NSString string"
  case stringWithString = "NSString stringWithString:"
  case numberWithBool = "NSNumber numberWithBool:"
  case numberWithInteger = "NSNumber numberWithInteger:"
  case numberWithDouble = "NSNumber numberWithDouble:"
  case decimalZero = "NSDecimalNumber zero"
  case decimalOne = "NSDecimalNumber one"
  case decimalWithString = "NSDecimalNumber decimalNumberWithString:"
  case date = "NSDate date"
  case dateSince2001 = "NSDate dateWithTimeIntervalSinceReferenceDate:"
  case dateSince1970 = "NSDate dateWithTimeIntervalSince1970:"
  case dateSinceNow = "NSDate dateWithTimeIntervalSinceNow:"
  case distantPast = "NSDate distantPast"
  case distantFuture = "NSDate distantFuture"
  case data = "NSData data"
  case url = "NSURL URLWithString:"
  case array = "NSArray array"
  case arrayWithObject = "NSArray arrayWithObject:"
  case setWithArray = "NSSet setWithArray:"
  case null = "NSNull null"

  private var parts: [Substring] { rawValue.split(separator: " ") }

  /// The selectors of a class.
  static func selectors(of name: String) -> [String] {
    allCases.map(\.parts).filter { $0[0] == name }.map { String($0[1]) }
  }

  /// The expression without the method.
  ///
  /// - Parameter arguments: As many as the selector has colons.
  /// - Returns: An expression of functions, constants and methods of values.
  func expression(_ arguments: [ValueExpression]) -> ValueExpression {
    switch self {
    case .string: .constant(.string(""))
    case .stringWithString: arguments[0]
    case .numberWithBool: Self.message(NumberMethod.bool.rawValue, to: arguments[0])
    case .numberWithInteger: Self.message(NumberMethod.integer.rawValue, to: arguments[0])
    case .numberWithDouble: Self.message(NumberMethod.double.rawValue, to: arguments[0])
    case .decimalZero: .constant(.decimal(0))
    case .decimalOne: .constant(.decimal(1))
    case .decimalWithString: Self.cast(arguments[0], .decimal)
    case .date: .predefined(selector: "now", arguments: [])
    case .dateSince2001: Self.cast(arguments[0], .date)
    case .dateSince1970:
      Self.cast(
        .predefined(
          selector: ExpressionFunction.subtract.rawValue,
          arguments: [arguments[0], .constant(.double(DateMethod.secondsOf2001))]
        ),
        .date
      )
    case .dateSinceNow:
      Self.cast(
        .predefined(
          selector: ExpressionFunction.add.rawValue,
          arguments: [
            Self.cast(.predefined(selector: "now", arguments: []), .number), arguments[0],
          ]
        ),
        .date
      )
    case .distantPast: .constant(.date(Self.firstDate))
    case .distantFuture: .constant(.date(Self.lastDate))
    case .data: .constant(.binary([]))
    case .url: Self.cast(arguments[0], .uri)
    case .array: .aggregate([])
    case .arrayWithObject: .aggregate(arguments)
    case .setWithArray: Self.message(CollectionMethod.set.rawValue, to: arguments[0])
    case .null: .constant(.null)
    }
  }

  /// The seconds from 2001 to the dates that Foundation uses, in the years 0 and 4001.
  private static let firstDate = -63_114_076_800.0
  private static let lastDate = 63_113_904_000.0

  private static func message(_ selector: String, to target: ValueExpression) -> ValueExpression {
    .function(target: target, selector: selector, arguments: [])
  }

  private static func cast(_ value: ValueExpression, _ type: CastType) -> ValueExpression {
    .predefined(
      selector: "castObject:toType:",
      arguments: [value, .constant(.string(type.rawValue))]
    )
  }
}

extension ClassMethod {
  /// A call in an expression, and its value.
  var example: MethodExample {
    let (argument, value) = exampleValues
    let arguments = argument.isEmpty ? "" : ", \(argument)"
    return MethodExample(
      call: "FUNCTION(CAST('\(parts[0])', 'Class'), '\(parts[1])'\(arguments))",
      value: value
    )
  }

  private var exampleValues: (argument: String, value: String) {
    switch self {
    case .string: ("", "''")
    case .stringWithString: ("'Abc'", "'Abc'")
    case .numberWithBool: ("2", "TRUE")
    case .numberWithInteger: ("1.5", "1")
    case .numberWithDouble: ("2", "2.0")
    case .decimalZero: ("", "CAST(0, 'NSDecimalNumber')")
    case .decimalOne: ("", "CAST(1, 'NSDecimalNumber')")
    case .decimalWithString: ("'1.5'", "CAST(1.5, 'NSDecimalNumber')")
    case .date: ("", "now()")
    case .dateSince2001: ("60", "CAST(60, 'NSDate')")
    case .dateSince1970: ("978307260", "CAST(60, 'NSDate')")
    case .dateSinceNow: ("0", "now()")
    case .distantPast: ("", "CAST(-63114076800, 'NSDate')")
    case .distantFuture: ("", "CAST(63113904000, 'NSDate')")
    case .data: ("", "CAST('', 'NSData')")
    case .url: ("'https://a.example'", "CAST('https://a.example', 'NSURL')")
    case .array: ("", "{}")
    case .arrayWithObject: ("5", "{5}")
    case .setWithArray: ("{5, 5, 6}", "{5, 6} UNION {}")
    case .null: ("", "NIL")
    }
  }
}

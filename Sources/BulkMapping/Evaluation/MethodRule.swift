internal import BulkModel

/// The parameter and result types of a method, and an example of a call.
struct MethodRule {
  /// The type of a parameter.
  enum Parameter: Hashable {
    case text, number, integer, date, data, collection
    /// `{location, length}`.
    case range
    /// A class method of `NSCharacterSet` with constant arguments.
    case characters
    /// `"compare:"` and the like.
    case selector
    /// Any value, nil included.
    case any
  }

  /// The type of the result.
  enum Result: Hashable {
    case type(ExpressionType)
    /// The receiver's own type.
    case receiver
    /// The type of the receiver's elements.
    case element
    /// A collection of the receiver's elements and of the argument or its elements.
    case joint
  }

  let parameters: [Parameter]
  let result: Result
  /// Whether a receiver that is not nil may give nil.
  let mayGiveNil: Bool
  /// Whether some receivers or arguments of the right types make the row fail.
  let mayFail: Bool
  /// An example: the receiver, the arguments and the value, as expressions.
  let example: (receiver: String, arguments: String, value: String)

  /// - Parameters:
  ///   - parameters: The types of the arguments.
  ///   - result: The type of the result.
  ///   - mayGiveNil: Whether a receiver that is not nil may give nil.
  ///   - mayFail: Whether some values of the right types make the row fail.
  ///   - receiver: The receiver of an example.
  ///   - arguments: Its arguments.
  ///   - value: Its value.
  init(
    _ parameters: Parameter...,
    gives result: Result,
    mayGiveNil: Bool = false,
    mayFail: Bool = false,
    of receiver: String,
    with arguments: String = "",
    is value: String
  ) {
    self.parameters = parameters
    self.result = result
    self.mayGiveNil = mayGiveNil
    self.mayFail = mayFail
    example = (receiver, arguments, value)
  }
}

extension MethodRule.Parameter {
  /// Whether values of a type may be arguments.
  func accepts(_ type: ExpressionType) -> Bool {
    switch self {
    case .text, .selector: type == .string
    case .number, .integer: type.isNumber
    case .date: type == .date
    case .data: type == .binary
    case .collection, .range: ExpressionCompiler.isCollection(type)
    case .any: true
    case .characters: false
    }
  }

  /// The accepted types, for messages.
  var expected: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .integer: "an integer"
    case .date: "a date"
    case .data: "binary data"
    case .collection: "a collection"
    case .range: "a range {location, length}"
    case .characters: "a set of characters of CAST(\"NSCharacterSet\", \"Class\")"
    case .selector: "the selector compare: or caseInsensitiveCompare:"
    case .any: "a value"
    }
  }
}

/// The methods that expressions may call with `FUNCTION`, for help.
package enum MethodReference {
  /// The methods of a class, or of several.
  package struct Section: Hashable, Sendable {
    package let title: String
    package let examples: [MethodExample]
  }

  /// All methods, class by class.
  package static let sections: [Section] = [
    section("NSString: texts", TextMethod.self),
    section("NSString: questions", TextQueryMethod.self),
    section("NSString: paths", PathMethod.self),
    section("NSNumber", NumberMethod.self),
    section("NSDecimalNumber", DecimalMethod.self),
    section("NSDate", DateMethod.self),
    section("NSData", DataMethod.self),
    section("NSArray, NSSet and NSOrderedSet", CollectionMethod.self),
    section("NSArray and NSOrderedSet", ArrayMethod.self),
    section("NSSet", SetMethod.self),
    section("All values", ObjectMethod.self),
    Section(title: "Classes", examples: ClassMethod.allCases.map(\.example)),
  ]

  /// The class methods of `NSCharacterSet` that name sets of characters.
  package static let characterSets = CharacterSetConstant.Name.allCases.map(\.rawValue)

  private static func section(
    _ title: String,
    _ methods: (some ReceiverMethod).Type
  ) -> Section {
    Section(title: title, examples: methods.allCases.map(\.example))
  }
}

extension MethodReference {
  /// The functions that `NSExpression` names itself, by what they take.
  package static let functions: [Section] = [
    Section(
      title: "Numbers",
      [
        ("1 + 2", "3"), ("5 - 2", "3"), ("2 * 3", "6"), ("10 / 4", "2"), ("2 ** 10", "1024"),
        ("modulus:by:(7, 3)", "1"), ("sqrt(16)", "4.0"), ("log(1000)", "3.0"), ("ln(1)", "0.0"),
        ("exp(0)", "1.0"), ("abs(-3)", "3"), ("floor(-1.5)", "-2.0"), ("ceiling(-1.5)", "-1.0"),
        ("trunc(-1.5)", "-1.0"), ("random(1)", "0"), ("random() * 0", "0"),
      ]
    ),
    Section(
      title: "Bits of integers",
      [
        ("bitwiseAnd:with:(12, 10)", "8"), ("bitwiseOr:with:(12, 10)", "14"),
        ("bitwiseXor:with:(12, 10)", "6"), ("leftshift:by:(1, 4)", "16"),
        ("rightshift:by:(16, 2)", "4"), ("onesComplement:(0)", "-1"),
      ]
    ),
    Section(
      title: "Collections",
      [
        ("sum({1, 2})", "3"), ("count({5, 5})", "2"), ("min({1, 2})", "1"), ("max({1, 2})", "2"),
        ("average({1, 2})", "1.5"), ("median({1, 2, 9})", "2.0"), ("mode({1, 2, 2})", "{2}"),
        ("stddev({1, 3})", "1.0"), ("{5, 6}[1]", "6"), ("{5, 6}[FIRST]", "5"),
        ("{5, 6}[LAST]", "6"), ("{5, 6}[SIZE]", "2"), ("{1, 2} UNION {2, 3}", "{1, 2, 3} UNION {}"),
        ("{1, 2} INTERSECT {2, 3}", "{2} UNION {}"), ("{1, 2} MINUS {2, 3}", "{1} UNION {}"),
      ]
    ),
    Section(
      title: "Texts",
      [
        ("uppercase('Abc')", "'ABC'"), ("lowercase('Abc')", "'abc'"),
        ("canonical:('Été')", "'ete'"), ("length('Abc')", "3"),
      ]
    ),
    Section(
      title: "All values",
      [
        ("CAST('12', 'NSNumber')", "12"), ("CAST(12, 'NSString')", "'12'"),
        ("TERNARY(1 < 2, 'yes', 'no')", "'yes'"), ("noindex:(5)", "5"), ("now()", "now()"),
      ]
    ),
  ]
}

extension MethodReference.Section {
  fileprivate init(title: String, _ examples: [(call: String, value: String)]) {
    self.init(
      title: title,
      examples: examples.map { MethodExample(call: $0.call, value: $0.value) }
    )
  }
}

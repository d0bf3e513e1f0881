internal import BulkSupport
internal import BulkModel

extension Function {
  /// The methods, class by class, with titles for help.
  static let classes: [(title: String, methods: [Function])] = [
    ("NSString", textMethods), ("NSNumber", numberMethods), ("NSDate", dateMethods),
    ("NSData", dataMethods), ("NSArray, NSSet and NSOrderedSet", collectionMethods),
    ("NSUUID, NSURL and all values", objectMethods),
  ]

  private static let methodsBySelector = Dictionary(
    grouping: classes.flatMap(\.methods),
    by: \.selector
  )

  static func methods(of selector: String) -> [Function] { methodsBySelector[selector] ?? [] }

  static func nearestMethod(to selector: String) -> String? {
    let known = KeyedSelector.allCases.map(\.rawValue) + methodsBySelector.keys.sorted()
    return NearestName.of(selector, among: known)
  }
}

/// The receivers of a class's methods; called with a selector, it makes the method.
struct Receiver<Value>: Sendable {
  let parameter: Parameter
  /// The value as a receiver; `nil` for values of other classes.
  let value: @Sendable (EvaluatedValue) -> Value?

  func callAsFunction(
    _ selector: String,
    _ parameters: Parameter...,
    gives typing: @escaping Function.Typing,
    _ body: @escaping @Sendable (Value, FunctionArguments) throws -> EvaluatedValue
  ) -> Function {
    Function(selector, [parameter] + parameters, gives: typing) { [value] in
      guard let receiver = value($0) else { return nil }
      return try body(receiver, $1)
    }
  }
}

/// A call of a method: the methods of its selector that the receiver may have, one a class.
package struct MethodCall: Hashable, Sendable {
  package let selector: String
  let methods: [Function]
  /// The argument that is a set of characters.
  let characters: CharacterSetConstant?

  /// The result for a receiver, whose bytes are counted; nil gives nil.
  func value(
    of receiver: EvaluatedValue,
    _ arguments: FunctionArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !receiver.isNull else { return .null }
    for method in methods {
      guard let value = try method.value(receiver, arguments) else { continue }
      try arguments.memory.take(value.approximateBytes, selector)
      return value
    }
    throw EvaluationFailure("\(receiver.kind) does not respond to \(selector)")
  }
}

/// A message to a class; it stands for an expression without it.
struct ClassMessage: Sendable {
  let className: String
  let selector: String
  let example: Function.Example
  /// The expression for as many arguments as the selector has colons.
  let expression: @Sendable ([ValueExpression]) -> ValueExpression

  static let all = [
    ClassMessage("NSString", "stringWithString:", "'Abc'", is: "'Abc'") { $0[0] },
    ClassMessage(
      "NSDecimalNumber",
      "decimalNumberWithString:",
      "'1.5'",
      is: "CAST(1.5, 'NSDecimalNumber')"
    ) { $0[0].cast(to: .decimal) },
    ClassMessage("NSDate", "date", is: "now()") { _ in .predefined(selector: "now", arguments: [])
    },
    ClassMessage("NSDate", "dateWithTimeIntervalSince1970:", "978307260", is: "CAST(60, 'NSDate')")
    {
      let seconds = ValueExpression.constant(.double(Function.secondsOf2001))
      return .predefined(selector: "from:subtract:", arguments: [$0[0], seconds]).cast(to: .date)
    },
    ClassMessage(
      "NSURL",
      "URLWithString:",
      "'https://a.example'",
      is: "CAST('https://a.example', 'NSURL')"
    ) { $0[0].cast(to: .uri) },
    ClassMessage("NSSet", "setWithArray:", "{5, 5, 6}", is: "{5, 6} UNION {}") {
      .function(target: $0[0], selector: "set", arguments: [])
    },
  ]

  private init(
    _ className: String,
    _ selector: String,
    _ argument: String = "",
    is value: String,
    expression: @escaping @Sendable ([ValueExpression]) -> ValueExpression
  ) {
    self.className = className
    self.selector = selector
    self.expression = expression
    let argument = argument.isEmpty ? "" : ", \(argument)"
    let call = "FUNCTION(CAST('\(className)', 'Class'), '\(selector)'\(argument))"
    example = Function.Example(call: call, value: value)
  }
}

extension ValueExpression {
  func cast(to type: CastType) -> ValueExpression { cast(to: type.rawValue) }

  func cast(to name: String) -> ValueExpression {
    .predefined(selector: "castObject:toType:", arguments: [self, .constant(.string(name))])
  }
}

/// The functions and methods of expressions, for help.
package enum FunctionReference {
  package struct Section: Hashable, Sendable {
    package let title: String
    package let examples: [Function.Example]

    /// Functions, and forms that the compiler has for itself.
    fileprivate init(
      _ title: String,
      _ functions: [Function],
      _ forms: [(call: String, value: String)] = []
    ) {
      self.title = title
      examples =
        functions.compactMap(\.example)
        + forms.map { Function.Example(call: $0.call, value: $0.value) }
    }
  }

  /// All methods that expressions may call with `FUNCTION`, class by class.
  package static let methods =
    Function.classes.map { Section($0.title, $0.methods) } + [
      Section("Classes", [], ClassMessage.all.map { ($0.example.call, $0.example.value) })
    ]

  /// The class methods of `NSCharacterSet` that name sets of characters.
  package static let characterSets = CharacterSetConstant.selectors

  /// The functions that `NSExpression` names itself, by the values that they take.
  package static let functions: [Section] = [
    Section("Numbers", Function.numbers, [("random(1)", "0"), ("random() * 0", "0")]),
    Section("Bits of integers", Function.bits),
    Section(
      "Collections",
      Function.collections,
      [
        ("{5, 6}[1]", "6"), ("{5, 6}[FIRST]", "5"), ("{5, 6}[LAST]", "6"), ("{5, 6}[SIZE]", "2"),
        ("{1, 2} UNION {2, 3}", "{1, 2, 3} UNION {}"),
        ("{1, 2} INTERSECT {2, 3}", "{2} UNION {}"), ("{1, 2} MINUS {2, 3}", "{1} UNION {}"),
      ]
    ),
    Section("Texts", Function.texts),
    Section(
      "All values",
      [],
      [
        ("CAST('12', 'NSNumber')", "12"), ("CAST(12, 'NSString')", "'12'"),
        ("TERNARY(1 < 2, 'yes', 'no')", "'yes'"), ("noindex:(5)", "5"), ("now()", "now()"),
        ("uuid()", "uuid()"),
        ("uuid('cover')", "uuid('cover')"), ("rowKey()", "rowKey()"),
      ]
    ),
  ]
}

/// A call in an expression, and its value as an expression.
package struct MethodExample: Hashable, Sendable {
  package let call: String
  package let value: String
}

/// A row of a table of functions or methods, with an example for help.
struct ExampleRow<Entry: Sendable>: Sendable {
  let entry: Entry
  let example: MethodExample
}

extension ExampleRow {
  /// A row with a call up to its last arguments, and these, if there are any.
  init(_ entry: Entry, _ call: String, _ arguments: String, is value: String) {
    let arguments = arguments.isEmpty ? "" : ", \(arguments)"
    self.init(entry: entry, example: MethodExample(call: call + arguments + ")", value: value))
  }
}

/// The functions and methods of expressions, for help.
package enum MethodReference {
  /// The methods of a class, or of several, or functions of one kind.
  package struct Section: Hashable, Sendable {
    package let title: String
    package let examples: [MethodExample]
  }

  /// All methods that expressions may call with `FUNCTION`, class by class.
  package static let sections =
    FoundationMethod.classes.map { Section(title: $0.title, examples: $0.rows.map(\.example)) } + [
      Section(title: "Classes", examples: ClassMethod.rows.map(\.example))
    ]

  /// The class methods of `NSCharacterSet` that name sets of characters.
  package static let characterSets = CharacterSetConstant.Name.allCases.map(\.rawValue)

  /// The functions that `NSExpression` names itself, by the values that they take.
  package static let functions: [Section] = [
    section("Numbers", ExpressionFunction.numbers, [("random(1)", "0"), ("random() * 0", "0")]),
    section("Bits of integers", ExpressionFunction.bits),
    section(
      "Collections",
      ExpressionFunction.collections,
      [
        ("{5, 6}[1]", "6"), ("{5, 6}[FIRST]", "5"), ("{5, 6}[LAST]", "6"), ("{5, 6}[SIZE]", "2"),
        ("{1, 2} UNION {2, 3}", "{1, 2, 3} UNION {}"),
        ("{1, 2} INTERSECT {2, 3}", "{2} UNION {}"), ("{1, 2} MINUS {2, 3}", "{1} UNION {}"),
      ]
    ),
    section("Texts", ExpressionFunction.texts),
    section(
      "All values",
      [],
      [
        ("CAST('12', 'NSNumber')", "12"), ("CAST(12, 'NSString')", "'12'"),
        ("TERNARY(1 < 2, 'yes', 'no')", "'yes'"), ("noindex:(5)", "5"), ("now()", "now()"),
        ("uuid()", "uuid()"), ("uuid('cover')", "uuid('cover')"), ("rowKey()", "rowKey()"),
      ]
    ),
  ]

  /// A section of functions, and of forms that the compiler has for itself.
  private static func section(
    _ title: String,
    _ rows: [ExampleRow<ExpressionFunction>],
    _ forms: [(call: String, value: String)] = []
  ) -> Section {
    let forms = forms.map { MethodExample(call: $0.call, value: $0.value) }
    return Section(title: title, examples: rows.map(\.example) + forms)
  }
}

/// A predicate of a model or a mapping model (`NSPredicate`).
public indirect enum ValuePredicate: Hashable, Sendable {
  /// The operator of a comparison, with Core Data's numbers.
  public enum Operator: Int64, Hashable, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqualTo = 1
    case greaterThan = 2
    case greaterThanOrEqualTo = 3
    case equalTo = 4
    case notEqualTo = 5
    /// `MATCHES`, a regular expression over the whole text.
    case matches = 6
    /// `LIKE`, with `?` and `*`.
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case contains = 99
    /// `BETWEEN`, both ends included.
    case between = 100
  }

  /// The quantifier of a comparison, with Core Data's numbers.
  public enum Modifier: Int64, Hashable, Sendable {
    case direct = 0
    case all = 1
    case any = 2
  }

  /// How text is compared, with Core Data's bits.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits, with Core Data's numbers.
    public var rawValue: Int64
    /// `c`: case-insensitive.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `d`: diacritic-insensitive.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `n`: bytewise.
    public static let normalized = Options(rawValue: 4)
    /// `l`: locale-aware.
    public static let localeSensitive = Options(rawValue: 8)

    /// Options from their bits.
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// One comparison (`NSComparisonPredicate`).
  public struct Comparison: Hashable, Sendable {
    /// The operand before the operator.
    public var left: ValueExpression
    /// The operator between the operands.
    public var `operator`: Operator
    /// The operand after the operator.
    public var right: ValueExpression
    /// How many elements must satisfy the comparison.
    public var modifier: Modifier
    /// How text is compared.
    public var options: Options

    /// A comparison of two operands.
    public init(
      _ left: ValueExpression,
      _ operator: Operator,
      _ right: ValueExpression,
      modifier: Modifier = .direct,
      options: Options = []
    ) {
      self.left = left
      self.operator = `operator`
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }

  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  case not(ValuePredicate)
  /// Every predicate must hold; an empty conjunction is true.
  case and([ValuePredicate])
  /// One predicate must hold; an empty disjunction is false.
  case or([ValuePredicate])
}

extension ValuePredicate: CustomStringConvertible {
  /// Parses a predicate in the language of `NSPredicate(format:)`.
  ///
  /// `a AND b AND c` is one predicate of three parts; `NONE` is `NOT ANY`.
  ///
  /// - Throws: ``ExpressionError``, with the position of the error.
  public init(format: String) throws(ExpressionError) {
    var parser = try ExpressionParser(format)
    self = try parser.wholePredicate()
  }

  /// The text of the predicate, as `predicateFormat` has it.
  ///
  /// Parsing the text gives an equal predicate, with the exceptions that the description of a
  /// ``ValueExpression`` has; an `AND` or `OR` of one part becomes that part.
  public var description: String {
    var printer = ExpressionPrinter()
    printer.write(self)
    return printer.text
  }
}

extension ValuePredicate.Options {
  /// The options and their letters, in writing order.
  static let letters: [(letter: Character, option: Self)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]

  init?(letter: Character) {
    guard let match = Self.letters.first(where: { "\($0.letter)" == letter.lowercased() }) else {
      return nil
    }
    self = match.option
  }
}

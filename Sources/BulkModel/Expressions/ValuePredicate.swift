/// A predicate of a model or a mapping model (`NSPredicate`).
public indirect enum ValuePredicate: Hashable, Sendable {
  /// What a comparison asks of its two sides, with Core Data's numbers.
  public enum Operator: Int64, Hashable, Sendable, CaseIterable {
    /// `<`
    case lessThan = 0
    /// `<=`
    case lessThanOrEqualTo = 1
    /// `>`
    case greaterThan = 2
    /// `>=`
    case greaterThanOrEqualTo = 3
    /// `==`
    case equalTo = 4
    /// `!=`
    case notEqualTo = 5
    /// `MATCHES`, a regular expression over the whole text.
    case matches = 6
    /// `LIKE`, with `?` and `*`.
    case like = 7
    /// `BEGINSWITH`
    case beginsWith = 8
    /// `ENDSWITH`
    case endsWith = 9
    /// `IN`
    case `in` = 10
    /// `CONTAINS`
    case contains = 99
    /// `BETWEEN`, both ends included.
    case between = 100
  }

  /// How many elements of a collection must satisfy a comparison, with Core Data's numbers.
  public enum Modifier: Int64, Hashable, Sendable {
    /// The value itself.
    case direct = 0
    /// Every element.
    case all = 1
    /// Some element.
    case any = 2
  }

  /// How text is compared, with Core Data's bits.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits.
    public var rawValue: Int64
    /// `c`: without regard to case.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `d`: without regard to diacritics.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `n`: byte by byte.
    public static let normalized = Options(rawValue: 4)
    /// `l`: by the rules of the language in use.
    public static let localeSensitive = Options(rawValue: 8)

    /// Options from their bits.
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// One comparison (`NSComparisonPredicate`).
  public struct Comparison: Hashable, Sendable {
    /// What stands on the left.
    public var left: ValueExpression
    /// What is asked.
    public var `operator`: Operator
    /// What stands on the right.
    public var right: ValueExpression
    /// How many elements must satisfy it.
    public var modifier: Modifier
    /// How text is compared.
    public var options: Options

    /// A comparison.
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
  /// A comparison.
  case comparison(Comparison)
  /// `NOT`
  case not(ValuePredicate)
  /// All of several.
  case and([ValuePredicate])
  /// Some of several.
  case or([ValuePredicate])
}

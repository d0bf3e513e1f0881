/// A case-insensitive keyword of expressions.
///
/// Source: the reserved words of Apple's Predicate Programming Guide, and six unreserved words of function
/// expressions and set expressions.
enum ExpressionKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case `in` = "IN"
  case not = "NOT"
  case all = "ALL"
  case any = "ANY"
  case some = "SOME"
  case none = "NONE"
  case like = "LIKE"
  case caseInsensitive = "CASEINSENSITIVE"
  case ci = "CI"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case null = "NULL"
  case `nil` = "NIL"
  case `self` = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case cast = "CAST"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"

  case function = "FUNCTION"
  case fetch = "FETCH"
  case ternary = "TERNARY"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"

  /// The keyword with this spelling, in any case; `nil` if there is none.
  ///
  /// Only ASCII letters change case: `ſelf` is not `SELF`.
  init?(word: String) {
    guard word.utf8.count <= Self.longest else { return nil }
    let upper = word.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }
    self.init(rawValue: String(decoding: upper, as: UTF8.self))
  }

  private static let longest = 15

  /// Whether Core Data writes a key with this name with a `#` prefix.
  var isReserved: Bool { !Self.unreserved.contains(self) }

  private static let unreserved: Set<Self> = [
    .function, .fetch, .ternary, .union, .intersect, .minus,
  ]

  /// Whether the word, at the beginning of a value, is a key even without `#`.
  ///
  /// Core Data expects `#size`; a bare `size` has no other meaning there, and models contain it.
  var isKeyWhereValueBegins: Bool {
    ValueExpression.Symbol(rawValue: rawValue) != nil || !isReserved
  }

  /// Whether a parenthesis after the word begins its arguments.
  var beginsCall: Bool { Self.calls.contains(self) }

  private static let calls: Set<Self> = [.function, .cast, .ternary, .subquery, .fetch]

  /// Whether the word is a quantifier of a comparison.
  var isQualifier: Bool { Self.qualifiers.contains(self) }

  private static let qualifiers: Set<Self> = [.any, .some, .all, .none]

  /// The constant that the word denotes; `nil` for other words.
  var constant: AttributeValue? { Self.constants[self] }

  private static let constants: [Self: AttributeValue] = [
    .true: .boolean(true), .yes: .boolean(true), .false: .boolean(false), .no: .boolean(false),
    .null: .null, .nil: .null,
  ]
}

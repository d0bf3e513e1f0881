/// One token of an expression's text.
struct ExpressionToken {
  enum Kind: Hashable {
    /// A name, which may be a keyword.
    case word(String)
    /// A name that cannot be a keyword, written `#name` or with an escape.
    case name(String)
    /// `@name`, without `@`.
    case keyOperator(String)
    /// `$name`, without `$`.
    case variable(String)
    case string(String)
    case integer(UInt64)
    case real(Double)
    case sign(Sign)
    case end
  }

  /// A sign, as written.
  enum Sign: String, CaseIterable {
    case assign = ":="
    case power = "**"
    case equalEqual = "=="
    case equalLess = "=<"
    case equalGreater = "=>"
    case notEqual = "!="
    case lessGreater = "<>"
    case lessEqual = "<="
    case greaterEqual = ">="
    case and = "&&"
    case or = "||"
    case equal = "="
    case not = "!"
    case less = "<"
    case greater = ">"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
    case comma = ","
    case dot = "."
    case colon = ":"
  }

  let kind: Kind
  /// The range of the token in the text, in Unicode scalars.
  let range: Range<Int>

  /// The keyword that the token denotes; `nil` for other tokens.
  var keyword: ExpressionKeyword? {
    guard case .word(let word) = kind else { return nil }
    return ExpressionKeyword(word: word)
  }

  func isSign(_ sign: Sign) -> Bool { kind == .sign(sign) }
}

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
  var isReserved: Bool {
    ![.function, .fetch, .ternary, .union, .intersect, .minus].contains(self)
  }

  /// Whether the word, at the beginning of a value, is a key even without `#`.
  ///
  /// Core Data expects `#size`; a bare `size` has no other meaning there, and models contain it.
  var isKeyWhereValueBegins: Bool {
    ValueExpression.Symbol(rawValue: rawValue) != nil || !isReserved
  }

  /// Whether a parenthesis after the word begins its arguments.
  var beginsCall: Bool { [.function, .cast, .ternary, .subquery, .fetch].contains(self) }

  /// Whether the word is a quantifier of a comparison.
  var isQualifier: Bool { [.any, .some, .all, .none].contains(self) }

  /// The constant that the word denotes; `nil` for other words.
  var constant: AttributeValue? { Self.constants[self] }

  private static let constants: [Self: AttributeValue] = [
    .true: .boolean(true), .yes: .boolean(true), .false: .boolean(false), .no: .boolean(false),
    .null: .null, .nil: .null,
  ]
}

/// The syntax of names in expressions, and the escaping of other names.
enum Identifier {
  static func canBegin(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    return scalar.properties.isXIDStart
  }

  static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return canBegin(scalar) || ("0"..."9").contains(scalar) }
    return scalar.properties.isXIDContinue
  }

  /// The name in an expression's text, with other characters as `\uhhhh`.
  static func written(_ name: some StringProtocol) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if text.isEmpty ? canBegin(scalar) : canContinue(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() { text += escape(unit) }
      }
    }
    return text
  }

  /// The name of a key, with `#` if it is a reserved word.
  static func writtenKey(_ name: some StringProtocol) -> String {
    if name.first == "@" { return "@" + written(name.dropFirst()) }
    let isReserved = ExpressionKeyword(word: String(name))?.isReserved ?? false
    return (isReserved ? "#" : "") + written(name)
  }

  /// A UTF-16 code unit as `\uhhhh`.
  static func escape(_ unit: UTF16.CodeUnit) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

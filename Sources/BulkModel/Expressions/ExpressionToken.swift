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

/// Reads expressions and predicates, which share one grammar.
///
/// A parenthesis may begin either, so operands record which of them they are, and every operator requests
/// the kind that it needs.
struct ExpressionParser {
  /// The nesting limit of operations and parentheses.
  ///
  /// The deepest expression found in 261 mapping models has three levels. A level takes 3 KiB of stack, or
  /// 18 KiB without optimization.
  static let depthLimit = 100

  /// A parsed part of the text.
  struct Operand {
    enum Content {
      case value(ValueExpression)
      case predicate(ValuePredicate)
    }

    let content: Content
    /// The nesting depth of its operations.
    let depth: Int
    /// Its offset in Unicode scalars.
    let offset: Int
  }

  private let text: String
  private let tokens: [ExpressionToken]
  private var position = 0
  private var nesting = 0

  init(_ text: String) throws(ExpressionError) {
    self.text = text
    var lexer = ExpressionLexer(text)
    tokens = try lexer.tokens()
  }

  mutating func wholeExpression() throws(ExpressionError) -> ValueExpression {
    let operand = try parse(.or)
    let value = try value(of: operand)
    try expectEnd()
    return value
  }

  mutating func wholePredicate() throws(ExpressionError) -> ValuePredicate {
    let operand = try parse(.or)
    let predicate = try predicate(of: operand)
    try expectEnd()
    return predicate
  }

  /// Reads operators that bind at least as tightly as a precedence.
  mutating func parse(_ minimum: ExpressionPrecedence) throws(ExpressionError) -> Operand {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.depthLimit else { throw error(.tooDeep(limit: Self.depthLimit)) }
    var left = try prefixed(minimum)
    while let infix = InfixOperator(current), infix.precedence >= minimum {
      left = try parse(infix, after: left)
    }
    return left
  }

  var current: ExpressionToken { tokens[position] }

  var following: ExpressionToken { tokens[min(position + 1, tokens.count - 1)] }

  /// Advances past the current token, unless it is the end.
  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  mutating func skip(_ sign: ExpressionToken.Sign) -> Bool {
    guard current.isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(
    _ sign: ExpressionToken.Sign,
    or alternatives: String = ""
  ) throws(ExpressionError) {
    guard skip(sign) else { throw unexpected("\(alternatives)'\(sign.rawValue)'") }
  }

  private func expectEnd() throws(ExpressionError) {
    guard current.kind == .end else { throw unexpected("an operator or the end") }
  }

  func value(of operand: Operand) throws(ExpressionError) -> ValueExpression {
    switch operand.content {
    case .value(let value): return value
    case .predicate:
      let reason = ExpressionError.Reason.unexpected(found: "a predicate", expected: "a value")
      throw error(reason, at: operand.offset)
    }
  }

  /// The operand, which must be the last one read, as a predicate.
  func predicate(of operand: Operand) throws(ExpressionError) -> ValuePredicate {
    switch operand.content {
    case .predicate(let predicate): return predicate
    case .value: throw unexpected("a comparison such as '=='")
    }
  }

  /// An operation on operands, one level deeper than the deepest of them.
  func operand(
    _ content: Operand.Content,
    of parts: [Operand] = [],
    at offset: Int
  ) throws(ExpressionError) -> Operand {
    let depth = (parts.map(\.depth).max() ?? 0) + 1
    guard depth <= Self.depthLimit else {
      throw error(.tooDeep(limit: Self.depthLimit), at: offset)
    }
    return Operand(content: content, depth: depth, offset: offset)
  }

  func error(_ reason: ExpressionError.Reason, at offset: Int? = nil) -> ExpressionError {
    ExpressionError(reason, text: text, offset: offset ?? current.range.lowerBound)
  }

  /// The error that the current token is not the expected one.
  func unexpected(_ expected: String) -> ExpressionError {
    guard current.kind != .end else {
      return error(.unexpected(found: "the end", expected: expected))
    }
    let scalars = text.unicodeScalars
    let start = scalars.index(scalars.startIndex, offsetBy: current.range.lowerBound)
    let end = scalars.index(start, offsetBy: current.range.count)
    return error(.unexpected(found: "'\(text[start..<end])'", expected: expected))
  }
}

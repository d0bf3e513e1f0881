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

  enum Operand {
    case value(ValueExpression)
    case predicate(ValuePredicate)
  }

  private let text: String
  private let tokens: [ExpressionToken]
  private var position = 0
  private var nesting = 0
  /// The offset of the operand that is being read, and the nesting depth of its operations so far.
  private var start = 0
  private var depth = 0

  init(_ text: String) throws(ExpressionError) {
    self.text = text
    var lexer = ExpressionLexer(text)
    tokens = try lexer.tokens()
  }

  mutating func wholeExpression() throws(ExpressionError) -> ValueExpression {
    let value = try value(.or)
    try expectEnd()
    return value
  }

  mutating func wholePredicate() throws(ExpressionError) -> ValuePredicate {
    let predicate = try predicate(.or)
    try expectEnd()
    return predicate
  }

  /// Reads operators that bind at least as tightly as a precedence.
  mutating func parse(_ minimum: ExpressionPrecedence) throws(ExpressionError) -> Operand {
    let outer = self
    nesting += 1
    start = current.range.lowerBound
    depth = 0
    defer {
      nesting = outer.nesting
      start = outer.start
      depth = max(depth, outer.depth)
    }
    guard nesting <= Self.depthLimit else { throw error(.tooDeep(limit: Self.depthLimit)) }
    var left = try prefixed(minimum)
    while let infix = current.infix, infix.precedence >= minimum {
      left = try parse(infix, after: left)
    }
    return left
  }

  mutating func value(
    _ minimum: ExpressionPrecedence = .set
  ) throws(ExpressionError) -> ValueExpression {
    let offset = current.range.lowerBound
    let operand = try parse(minimum)
    return try value(of: operand, at: offset)
  }

  mutating func predicate(
    _ minimum: ExpressionPrecedence
  ) throws(ExpressionError) -> ValuePredicate {
    let operand = try parse(minimum)
    return try predicate(of: operand)
  }

  /// The operand, which begins at an offset, as a value.
  func value(of operand: Operand, at offset: Int? = nil) throws(ExpressionError) -> ValueExpression
  {
    guard case .value(let value) = operand else {
      throw error(.unexpected(found: "a predicate", expected: "a value"), at: offset ?? start)
    }
    return value
  }

  /// The operand, which must be the last one read, as a predicate.
  func predicate(of operand: Operand) throws(ExpressionError) -> ValuePredicate {
    guard case .predicate(let predicate) = operand else {
      throw unexpected("a comparison such as '=='")
    }
    return predicate
  }

  /// An operation on what has been read of the current operand.
  mutating func operation(_ value: ValueExpression) throws(ExpressionError) -> Operand {
    try deepen()
    return .value(value)
  }

  mutating func operation(_ predicate: ValuePredicate) throws(ExpressionError) -> Operand {
    try deepen()
    return .predicate(predicate)
  }

  private mutating func deepen() throws(ExpressionError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw error(.tooDeep(limit: Self.depthLimit), at: start)
    }
  }

  var current: ExpressionToken { tokens[position] }

  var following: ExpressionToken { tokens[min(position + 1, tokens.count - 1)] }

  /// Advances past the current token, unless it is the end.
  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  /// Advances past a sign or a keyword in uppercase; returns whether it is the current token.
  mutating func skip(_ symbol: String) -> Bool {
    guard current.symbol == symbol else { return false }
    advance()
    return true
  }

  mutating func expect(
    _ sign: String,
    or alternatives: String = ""
  ) throws(ExpressionError) {
    guard skip(sign) else { throw unexpected("\(alternatives)'\(sign)'") }
  }

  private func expectEnd() throws(ExpressionError) {
    guard current.kind == .end else { throw unexpected("an operator or the end") }
  }

  func error(_ reason: ExpressionError.Reason, at offset: Int? = nil) -> ExpressionError {
    ExpressionError(reason, text: text, offset: offset ?? current.range.lowerBound)
  }

  /// The error that an operand begins with a name that no function has.
  func unknownFunction(_ name: String) -> ExpressionError {
    error(.unknownFunction(name, nearest: PredefinedFunction.nearest(to: name)), at: start)
  }

  /// The call of a predefined function with which an operand begins.
  func predefined(
    _ selector: String,
    _ arguments: [ValueExpression]
  ) throws(ExpressionError) -> ValueExpression {
    let (found, expected) = (arguments.count, PredefinedFunction.argumentCount(of: selector))
    guard found == expected else {
      throw error(
        .wrongArgumentCount(function: selector, found: found, expected: expected),
        at: start
      )
    }
    return .predefined(selector: selector, arguments: arguments)
  }

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

extension ExpressionParser {
  /// Reads the beginning of an operand: a prefix operator with its operand, or a value.
  private mutating func prefixed(
    _ minimum: ExpressionPrecedence
  ) throws(ExpressionError) -> Operand {
    if minimum <= .not, skip("!") || skip("NOT") {
      return try operation(.not(predicate(.not)))
    }
    if minimum <= .comparison, let word = current.symbol,
      let modifier = ExpressionWord.quantifiers[word]
    {
      advance()
      let offset = current.range.lowerBound
      let left = try parse(.set)
      guard let infix = current.infix, case .comparison(let `operator`) = infix.meaning else {
        throw unexpected("a comparison such as '=='")
      }
      let comparison = try comparison(value(of: left, at: offset), `operator`, modifier)
      return word == "NONE" ? try operation(.not(comparison)) : .predicate(comparison)
    }
    return skip("-") ? try negated() : try postfixed()
  }

  /// Reads an operator, which is the current token, and its right operand.
  private mutating func parse(
    _ infix: InfixOperator,
    after left: Operand
  ) throws(ExpressionError) -> Operand {
    switch infix.meaning {
    case .or: return try operation(.or(compound(infix, left)))
    case .and: return try operation(.and(compound(infix, left)))
    case .comparison(let `operator`):
      return .predicate(try comparison(value(of: left), `operator`, .direct))
    case .set(let operation):
      let first = try value(of: left)
      advance()
      return try self.operation(.set(operation, first, value(infix.precedence.next)))
    case .call(let selector):
      let first = try value(of: left)
      advance()
      let arguments = [first, try value(infix.precedence.next)]
      return try operation(.predefined(selector: selector, arguments: arguments))
    }
  }

  /// Reads the rest of `a AND b AND c`, which is one predicate of three.
  private mutating func compound(
    _ infix: InfixOperator,
    _ first: Operand
  ) throws(ExpressionError) -> [ValuePredicate] {
    var parts = [try predicate(of: first)]
    while let next = current.infix, next.meaning == infix.meaning {
      advance()
      parts.append(try predicate(infix.precedence.next))
    }
    return parts
  }

  private mutating func comparison(
    _ left: ValueExpression,
    _ operator: ValuePredicate.Operator,
    _ modifier: ValuePredicate.Modifier
  ) throws(ExpressionError) -> ValuePredicate {
    advance()
    let options = try options()
    let right = try value()
    try deepen()
    return .comparison(.init(left, `operator`, right, modifier: modifier, options: options))
  }

  /// Reads `[cd]` after a comparison operator.
  private mutating func options() throws(ExpressionError) -> ValuePredicate.Options {
    guard skip("[") else { return [] }
    guard case .word(let letters) = current.kind else { throw unexpected("options such as [cd]") }
    var options: ValuePredicate.Options = []
    for letter in letters {
      guard let option = ValuePredicate.Options(letter: letter) else {
        throw unexpected("the options c, d, n and l")
      }
      options.insert(option)
    }
    advance()
    try expect("]")
    return options
  }

  /// Reads the operand of a sign: a negative number, or minus one times something.
  private mutating func negated() throws(ExpressionError) -> Operand {
    if current.kind == .integer(UInt64(Int64.max) + 1) {
      advance()
      return try operation(.constant(.integer(.min)))
    }
    let value = try value(.negation)
    switch value {
    case .constant(.integer(let number)) where number != .min:
      return .value(.constant(.integer(-number)))
    case .constant(.double(let number)): return .value(.constant(.double(-number)))
    default:
      let arguments = [.constant(.integer(-1)), value]
      return try operation(.predefined(selector: "multiply:by:", arguments: arguments))
    }
  }
}

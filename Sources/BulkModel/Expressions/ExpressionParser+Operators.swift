extension ExpressionParser {
  /// Reads the beginning of an operand: a prefix operator with its operand, or a value.
  mutating func prefixed(_ minimum: ExpressionPrecedence) throws(ExpressionError) -> Operand {
    if minimum <= .not, current.isSign(.not) || current.keyword == .not { return try negation() }
    if minimum <= .comparison, let keyword = current.keyword, keyword.isQualifier {
      return try qualified(by: keyword)
    }
    if minimum <= .assignment, case .variable(let name) = current.kind, following.isSign(.assign) {
      let offset = current.range.lowerBound
      advance()
      advance()
      let right = try parse(.assignment)
      let assignment = ValueExpression.assignment(variable: name, value: try value(of: right))
      return try operand(.value(assignment), of: [right], at: offset)
    }
    if current.isSign(.minus) { return try minus() }
    return try postfixed()
  }

  /// Reads an operator, which is the current token, and its right operand.
  mutating func parse(
    _ infix: InfixOperator,
    after left: Operand
  ) throws(ExpressionError) -> Operand {
    switch infix {
    case .or, .and: return try compound(infix, first: left)
    case .comparison(let `operator`):
      return try comparison(`operator`, of: left, modifier: .direct)
    case .set(let operation):
      let first = try value(of: left)
      advance()
      let right = try parse(infix.precedence.next)
      let set = ValueExpression.set(operation, first, try value(of: right))
      return try operand(.value(set), of: [left, right], at: left.offset)
    case .arithmetic(let arithmetic):
      let first = try value(of: left)
      advance()
      let right = try parse(infix.precedence.next)
      let arguments = [first, try value(of: right)]
      let call = ValueExpression.predefined(selector: arithmetic.selector, arguments: arguments)
      return try operand(.value(call), of: [left, right], at: left.offset)
    }
  }

  /// Reads the rest of `a AND b AND c`, which is one predicate of three.
  private mutating func compound(
    _ infix: InfixOperator,
    first: Operand
  ) throws(ExpressionError) -> Operand {
    let precedence = infix.precedence
    var parts = [first]
    var predicates = [try predicate(of: first)]
    while let next = InfixOperator(current), next.precedence == precedence {
      advance()
      let part = try parse(precedence.next)
      predicates.append(try predicate(of: part))
      parts.append(part)
    }
    let compound: ValuePredicate = precedence == .or ? .or(predicates) : .and(predicates)
    return try operand(.predicate(compound), of: parts, at: first.offset)
  }

  private mutating func comparison(
    _ operator: ValuePredicate.Operator,
    of left: Operand,
    modifier: ValuePredicate.Modifier
  ) throws(ExpressionError) -> Operand {
    let first = try value(of: left)
    advance()
    let options = try options()
    let right = try parse(.assignment)
    let comparison = ValuePredicate.Comparison(
      first,
      `operator`,
      try value(of: right),
      modifier: modifier,
      options: options
    )
    return try operand(.predicate(.comparison(comparison)), of: [left, right], at: left.offset)
  }

  /// Reads `[cd]` after a comparison operator.
  private mutating func options() throws(ExpressionError) -> ValuePredicate.Options {
    guard skip(.openBracket) else { return [] }
    guard case .word(let letters) = current.kind else { throw unexpected("options such as [cd]") }
    var options: ValuePredicate.Options = []
    for letter in letters {
      guard let option = ValuePredicate.Options(letter: letter) else {
        throw unexpected("the options c, d, n and l")
      }
      options.insert(option)
    }
    advance()
    try expect(.closeBracket)
    return options
  }

  private mutating func negation() throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    advance()
    let part = try parse(.not)
    return try operand(.predicate(.not(try predicate(of: part))), of: [part], at: offset)
  }

  /// Reads `ANY a.b == c`; `NONE` is `NOT ANY`, as in Core Data.
  private mutating func qualified(
    by qualifier: ExpressionKeyword
  ) throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    advance()
    let left = try parse(.assignment)
    guard case .comparison(let `operator`)? = InfixOperator(current) else {
      throw unexpected("a comparison such as '=='")
    }
    let modifier: ValuePredicate.Modifier = qualifier == .all ? .all : .any
    let comparison = try comparison(`operator`, of: left, modifier: modifier)
    guard qualifier == ExpressionKeyword.none else { return comparison }
    let negated = ValuePredicate.not(try predicate(of: comparison))
    return try operand(.predicate(negated), of: [comparison], at: offset)
  }

  /// Reads a sign and its operand: a negative number, or minus one times something.
  private mutating func minus() throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    advance()
    if current.kind == .integer(UInt64(Int64.max) + 1) {
      advance()
      return try operand(.value(.constant(.integer(.min))), at: offset)
    }
    let part = try parse(.negation)
    let value = try value(of: part)
    if case .constant(.integer(let number)) = value, number != .min {
      return try operand(.value(.constant(.integer(-number))), at: offset)
    }
    if case .constant(.double(let number)) = value {
      return try operand(.value(.constant(.double(-number))), at: offset)
    }
    let call = ValueExpression.predefined(
      selector: ArithmeticOperator.multiply.selector,
      arguments: [.constant(.integer(-1)), value]
    )
    return try operand(.value(call), of: [part], at: offset)
  }
}

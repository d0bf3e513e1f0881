extension ExpressionParser {
  /// Reads a call whose first word is the current token.
  mutating func call(_ word: String) throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    if following.isSign(.colon) { return try selectorCall() }
    let form = current.keyword.flatMap { Form(rawValue: $0.rawValue) }
    advance()
    try expect(.openParenthesis)
    switch form {
    case .function?: return try function(at: offset)
    case .cast?: return try cast(at: offset)
    case .ternary?: return try ternary(at: offset)
    case .subquery?: return try subquery(at: offset)
    case .fetch?: return try fetch(at: offset)
    case nil: return try predefined(named: word, at: offset)
    }
  }

  /// Calls with special syntax.
  private enum Form: String {
    case function = "FUNCTION"
    case cast = "CAST"
    case ternary = "TERNARY"
    case subquery = "SUBQUERY"
    case fetch = "FETCH"
  }

  /// Reads the arguments of `sum(x)`.
  private mutating func predefined(
    named word: String,
    at offset: Int
  ) throws(ExpressionError) -> Operand {
    let arguments = try list(until: .closeParenthesis)
    let selector = PredefinedFunction.selector(named: word, argumentCount: arguments.count)
    guard let selector else { throw unknownFunction(word, at: offset) }
    return try predefined(selector, of: arguments, at: offset)
  }

  /// Reads comma-separated values and the closing sign.
  mutating func list(
    until end: ExpressionToken.Sign
  ) throws(ExpressionError) -> [Operand] {
    var elements: [Operand] = []
    if skip(end) { return elements }
    repeat { elements.append(try argument()) } while skip(.comma)
    try expect(end, or: "',' or ")
    return elements
  }

  func values(of operands: [Operand]) throws(ExpressionError) -> [ValueExpression] {
    try operands.map(value(of:))
  }

  /// Reads `modulus:by:(a, b)`.
  private mutating func selectorCall() throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    var selector = ""
    while case .word(let piece) = current.kind {
      advance()
      try expect(.colon)
      selector += piece + ":"
    }
    guard PredefinedFunction.selectors.contains(selector) else {
      throw unknownFunction(selector, at: offset)
    }
    try expect(.openParenthesis)
    let arguments = try list(until: .closeParenthesis)
    return try predefined(selector, of: arguments, at: offset)
  }

  private func predefined(
    _ selector: String,
    of arguments: [Operand],
    at offset: Int
  ) throws(ExpressionError) -> Operand {
    let expected = PredefinedFunction.argumentCount(of: selector)
    guard arguments.count == expected else {
      throw error(
        .wrongArgumentCount(function: selector, found: arguments.count, expected: expected),
        at: offset
      )
    }
    let call = ValueExpression.predefined(selector: selector, arguments: try values(of: arguments))
    return try operand(.value(call), of: arguments, at: offset)
  }

  private func unknownFunction(_ name: String, at offset: Int) -> ExpressionError {
    error(.unknownFunction(name, nearest: PredefinedFunction.nearest(to: name)), at: offset)
  }

  private mutating func function(at offset: Int) throws(ExpressionError) -> Operand {
    let target = try argument()
    try expect(.comma)
    guard case .string(let selector) = current.kind else {
      throw unexpected("a selector in quotes")
    }
    advance()
    let arguments = skip(.comma) ? try list(until: .closeParenthesis) : []
    if arguments.isEmpty { try expect(.closeParenthesis, or: "',' or ") }
    let call = ValueExpression.function(
      target: try value(of: target),
      selector: selector,
      arguments: try values(of: arguments)
    )
    return try operand(.value(call), of: [target] + arguments, at: offset)
  }

  private mutating func cast(at offset: Int) throws(ExpressionError) -> Operand {
    let subject = try argument()
    try expect(.comma)
    guard case .string(let type) = current.kind else { throw unexpected("a type in quotes") }
    advance()
    try expect(.closeParenthesis)
    let arguments = [try value(of: subject), .constant(.string(type))]
    let call = ValueExpression.predefined(selector: "castObject:toType:", arguments: arguments)
    return try operand(.value(call), of: [subject], at: offset)
  }

  private mutating func ternary(at offset: Int) throws(ExpressionError) -> Operand {
    let condition = try parse(.or)
    let predicate = try predicate(of: condition)
    try expect(.comma)
    let then = try argument()
    try expect(.comma)
    let otherwise = try argument()
    try expect(.closeParenthesis)
    let ternary = ValueExpression.ternary(
      predicate,
      then: try value(of: then),
      otherwise: try value(of: otherwise)
    )
    return try operand(.value(ternary), of: [condition, then, otherwise], at: offset)
  }

  private mutating func subquery(at offset: Int) throws(ExpressionError) -> Operand {
    let collection = try argument()
    try expect(.comma)
    guard case .variable(let variable) = current.kind else { throw unexpected("a variable") }
    advance()
    try expect(.comma)
    let condition = try parse(.or)
    let predicate = try predicate(of: condition)
    try expect(.closeParenthesis, or: "an operator or ")
    let subquery = ValueExpression.subquery(
      try value(of: collection),
      variable: variable,
      predicate: predicate
    )
    return try operand(.value(subquery), of: [collection, condition], at: offset)
  }

  private mutating func fetch(at offset: Int) throws(ExpressionError) -> Operand {
    let request = try argument()
    try expect(.comma)
    let context = try argument()
    try expect(.comma)
    guard case .boolean(let countOnly)? = current.keyword?.constant else {
      throw unexpected("YES or NO")
    }
    advance()
    try expect(.closeParenthesis)
    let fetch = ValueExpression.fetch(
      request: try value(of: request),
      context: try value(of: context),
      countOnly: countOnly
    )
    return try operand(.value(fetch), of: [request, context], at: offset)
  }

  /// Reads a value followed by a comma or a closing sign.
  private mutating func argument() throws(ExpressionError) -> Operand {
    let operand = try parse(.assignment)
    _ = try value(of: operand)
    return operand
  }
}

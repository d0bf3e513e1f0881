extension ExpressionParser {
  /// Reads a value and the keys and indexes that follow it.
  mutating func postfixed() throws(ExpressionError) -> Operand {
    var base = try atom()
    var keys: [String] = base == nil ? [try key()] : []
    while true {
      // `@count` ends the path, because it is a function.
      if keys.last == CollectionOperator.count.rawValue {
        let counted = try keyPath(keys.dropLast(), of: base)
        base = try operation(.predefined(selector: "count:", arguments: [value(of: counted)]))
        keys = []
      } else if skip(".") {
        keys.append(try key())
      } else {
        let whole = try keyPath(keys[...], of: base)
        guard skip("[") else { return whole }
        base = try subscripted(whole)
        keys = []
      }
    }
  }

  private mutating func key() throws(ExpressionError) -> String {
    let key: String
    switch current.kind {
    case .word(let word), .name(let word): key = word
    case .keyOperator(let name): key = "@" + name
    case .string, .integer, .real, .variable, .sign, .end: throw unexpected("a key")
    }
    advance()
    return key
  }

  /// The keys of a value, or of SELF if there is none.
  private mutating func keyPath(
    _ keys: ArraySlice<String>,
    of base: Operand?
  ) throws(ExpressionError) -> Operand {
    guard keys.isEmpty else {
      let target = try value(of: base ?? .value(.evaluatedObject))
      return try operation(.keyPath(keys.joined(separator: "."), of: target))
    }
    if let base { return base }
    return try operation(.evaluatedObject)
  }

  private mutating func subscripted(_ collection: Operand) throws(ExpressionError) -> Operand {
    let collection = try value(of: collection)
    let index: ValueExpression
    if let symbol = current.symbol.flatMap(ValueExpression.Symbol.init), following.symbol == "]" {
      index = .symbol(symbol)
      advance()
    } else {
      index = try value()
    }
    try expect("]")
    let arguments = [collection, index]
    return try operation(.predefined(selector: "objectFrom:withIndex:", arguments: arguments))
  }

  /// Reads a value without operators; returns `nil` if a key begins here.
  private mutating func atom() throws(ExpressionError) -> Operand? {
    if skip("(") {
      let part = try parse(.or)
      try expect(")", or: "an operator or ")
      return part
    }
    if skip("{") { return try operation(.aggregate(list(until: "}"))) }
    switch current.kind {
    case .string(let string): return try leaf(.constant(.string(string)))
    case .integer(let magnitude):
      guard let integer = Int64(exactly: magnitude) else {
        throw error(.numberOutOfRange("\(magnitude)"))
      }
      return try leaf(.constant(.integer(integer)))
    case .real(let number): return try leaf(.constant(.double(number)))
    case .variable(let name): return try leaf(.variable(name))
    case .word(let word): return try self.word(word)
    case .name, .keyOperator: return nil
    case .sign, .end: throw unexpected("a value")
    }
  }

  private mutating func leaf(_ value: ValueExpression) throws(ExpressionError) -> Operand {
    advance()
    return try operation(value)
  }

  /// Reads a constant, a call or a predicate that begins with a word; returns `nil` if the word is a key.
  private mutating func word(_ word: String) throws(ExpressionError) -> Operand? {
    let keyword = current.symbol
    let isCalled = following.symbol == "(" || following.symbol == ":"
    if isCalled, keyword.map(ExpressionWord.calls.contains) ?? true {
      return try operation(call(word))
    }
    guard let keyword, !ExpressionWord.isKeyWhereValueBegins(keyword) else { return nil }
    if let constant = ExpressionWord.constants[keyword] { return try leaf(.constant(constant)) }
    switch keyword {
    case "SELF": return try leaf(.evaluatedObject)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      advance()
      return try operation(.constant(keyword == "TRUEPREDICATE"))
    default: throw unexpected("a value; write #\(word) for a key of that name")
    }
  }

  private mutating func list(until end: String) throws(ExpressionError) -> [ValueExpression] {
    var elements: [ValueExpression] = []
    if skip(end) { return elements }
    repeat { elements.append(try value()) } while skip(",")
    try expect(end, or: "',' or ")
    return elements
  }

  /// Reads a call whose first word is the current token.
  private mutating func call(_ word: String) throws(ExpressionError) -> ValueExpression {
    if following.symbol == ":" { return try selectorCall() }
    let form = current.symbol
    advance()
    try expect("(")
    switch form {
    case "FUNCTION":
      let target = try value()
      try expect(",")
      let selector = try quoted("a selector in quotes")
      let arguments = skip(",") ? try list(until: ")") : []
      if arguments.isEmpty { try expect(")", or: "',' or ") }
      return .function(target: target, selector: selector, arguments: arguments)
    case "CAST":
      let subject = try value()
      try expect(",")
      let type = try quoted("a type in quotes")
      try expect(")")
      let arguments = [subject, .constant(.string(type))]
      return .predefined(selector: "castObject:toType:", arguments: arguments)
    case "TERNARY":
      let predicate = try predicate(.or)
      try expect(",")
      let then = try value()
      try expect(",")
      let otherwise = try value()
      try expect(")")
      return .ternary(predicate, then: then, otherwise: otherwise)
    case "SUBQUERY":
      let collection = try value()
      try expect(",")
      guard case .variable(let variable) = current.kind else { throw unexpected("a variable") }
      advance()
      try expect(",")
      let predicate = try predicate(.or)
      try expect(")", or: "an operator or ")
      return .subquery(collection, variable: variable, predicate: predicate)
    case "FETCH":
      let request = try value()
      try expect(",")
      let context = try value()
      try expect(",")
      guard case .boolean(let countOnly)? = current.symbol.flatMap({ ExpressionWord.constants[$0] })
      else { throw unexpected("YES or NO") }
      advance()
      try expect(")")
      return .fetch(request: request, context: context, countOnly: countOnly)
    default:
      let arguments = try list(until: ")")
      let selector = PredefinedFunction.selector(named: word, argumentCount: arguments.count)
      guard let selector else { throw unknownFunction(word) }
      return try predefined(selector, arguments)
    }
  }

  /// Reads `modulus:by:(a, b)`.
  private mutating func selectorCall() throws(ExpressionError) -> ValueExpression {
    var selector = ""
    while case .word(let piece) = current.kind {
      advance()
      try expect(":")
      selector += piece + ":"
    }
    guard PredefinedFunction.selectors.contains(selector) else { throw unknownFunction(selector) }
    try expect("(")
    return try predefined(selector, list(until: ")"))
  }

  private mutating func quoted(_ expected: String) throws(ExpressionError) -> String {
    guard case .string(let text) = current.kind else { throw unexpected(expected) }
    advance()
    return text
  }
}

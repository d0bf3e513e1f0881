extension ExpressionParser {
  /// Reads a value and the keys and indexes that follow it.
  mutating func postfixed() throws(ExpressionError) -> Operand {
    var path = PendingPath(base: try atom())
    if path.base == nil { try appendKey(to: &path) }
    while true {
      if skip(.dot) {
        try appendKey(to: &path)
      } else if current.isSign(.openBracket) {
        let collection = try flush(path)
        path = PendingPath(base: try subscripted(collection))
      } else {
        return try flush(path)
      }
    }
  }

  /// A value, and the keys after it that are not yet a key path.
  private struct PendingPath {
    /// The object of the key path; `nil` if the value begins with a key.
    var base: Operand?
    var keys: [String] = []
    var offset: Int?
  }

  /// Reads a key; `@count` ends the path, because it is a function.
  private mutating func appendKey(to path: inout PendingPath) throws(ExpressionError) {
    let offset = current.range.lowerBound
    let key: String
    switch current.kind {
    case .word(let word), .name(let word): key = word
    case .keyOperator(let name): key = "@" + name
    case .string, .integer, .real, .variable, .sign, .end: throw unexpected("a key")
    }
    advance()
    path.offset = path.offset ?? offset
    guard key == CollectionOperator.count.rawValue else { return path.keys.append(key) }
    let counted = try flush(path)
    let call = ValueExpression.predefined(
      selector: "count:",
      arguments: [try value(of: counted)]
    )
    path = PendingPath(base: try operand(.value(call), of: [counted], at: counted.offset))
  }

  private func flush(_ path: PendingPath) throws(ExpressionError) -> Operand {
    let offset = path.base?.offset ?? path.offset ?? current.range.lowerBound
    let base: Operand
    if let written = path.base {
      base = written
    } else {
      base = try operand(.value(.evaluatedObject), at: offset)
    }
    guard !path.keys.isEmpty else { return base }
    let keyPath = path.keys.joined(separator: ".")
    let value = ValueExpression.keyPath(keyPath, of: try value(of: base))
    return try operand(.value(value), of: path.base.map { [$0] } ?? [], at: offset)
  }

  private mutating func subscripted(_ collection: Operand) throws(ExpressionError) -> Operand {
    try expect(.openBracket)
    let index: Operand
    if let symbol = current.keyword.flatMap({ ValueExpression.Symbol(rawValue: $0.rawValue) }),
      following.isSign(.closeBracket)
    {
      index = try operand(.value(.symbol(symbol)), at: current.range.lowerBound)
      advance()
    } else {
      index = try parse(.assignment)
    }
    let arguments = [try value(of: collection), try value(of: index)]
    try expect(.closeBracket)
    let call = ValueExpression.predefined(selector: "objectFrom:withIndex:", arguments: arguments)
    return try operand(.value(call), of: [collection, index], at: collection.offset)
  }

  /// Reads a value without operators; returns `nil` if a key begins here.
  private mutating func atom() throws(ExpressionError) -> Operand? {
    let offset = current.range.lowerBound
    switch current.kind {
    case .string(let string): return try constant(.string(string))
    case .integer(let magnitude):
      guard let integer = Int64(exactly: magnitude) else {
        throw error(.numberOutOfRange("\(magnitude)"))
      }
      return try constant(.integer(integer))
    case .real(let number): return try constant(.double(number))
    case .variable(let name):
      advance()
      return try operand(.value(.variable(name)), at: offset)
    case .sign(.openParenthesis): return try group()
    case .sign(.openBrace): return try aggregate()
    case .word(let word): return try self.word(word)
    case .name, .keyOperator: return nil
    case .sign, .end: throw unexpected("a value")
    }
  }

  private mutating func constant(_ value: AttributeValue) throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    advance()
    return try operand(.value(.constant(value)), at: offset)
  }

  private mutating func group() throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    try expect(.openParenthesis)
    let part = try parse(.or)
    try expect(.closeParenthesis, or: "an operator or ")
    return Operand(content: part.content, depth: part.depth, offset: offset)
  }

  private mutating func aggregate() throws(ExpressionError) -> Operand {
    let offset = current.range.lowerBound
    try expect(.openBrace)
    let elements = try list(until: .closeBrace)
    let values = try self.values(of: elements)
    return try operand(.value(.aggregate(values)), of: elements, at: offset)
  }

  /// Reads a constant, a call or a predicate that begins with a word; returns `nil` if the word is a key.
  private mutating func word(_ word: String) throws(ExpressionError) -> Operand? {
    let offset = current.range.lowerBound
    let keyword = current.keyword
    let isCalled = following.isSign(.openParenthesis) || following.isSign(.colon)
    if isCalled, keyword?.beginsCall ?? true { return try call(word) }
    guard let keyword, !keyword.isKeyWhereValueBegins else { return nil }
    if let value = keyword.constant { return try constant(value) }
    if keyword == .self {
      advance()
      return try operand(.value(.evaluatedObject), at: offset)
    }
    if keyword == .truePredicate || keyword == .falsePredicate {
      advance()
      return try operand(.predicate(.constant(keyword == .truePredicate)), at: offset)
    }
    throw unexpected("a value; write #\(word) for a key of that name")
  }
}

/// Cuts the text of an expression into words and signs.
struct ExpressionLexer {
  private let text: String
  let scalars: [Unicode.Scalar]
  var index = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// All tokens of the text, the last one ``ExpressionToken/Kind/end``.
  mutating func tokens() throws(ExpressionError) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    while true {
      while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
      let start = index
      let kind = try nextKind()
      tokens.append(ExpressionToken(kind: kind, range: start..<index))
      if kind == .end { return tokens }
    }
  }

  /// The scalar some places ahead, if there is one.
  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    let place = index + distance
    return place < scalars.count ? scalars[place] : nil
  }

  func error(_ reason: ExpressionError.Reason, at offset: Int) -> ExpressionError {
    ExpressionError(reason, text: text, offset: offset)
  }

  /// The scalars from a place to the present one.
  func text(from start: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<min(index, scalars.count)])
    return String(view)
  }

  private mutating func nextKind() throws(ExpressionError) -> ExpressionToken.Kind {
    guard let scalar = peek() else { return .end }
    switch scalar {
    case "\"", "'": return .string(try string(quote: scalar))
    case "@" where peek(1) == "\"" || peek(1) == "'":
      index += 1
      return .string(try string(quote: scalars[index]))
    case "@": return .keyOperator(try name(after: "@").text)
    case "#": return .name(try name(after: "#").text)
    case "$": return .variable(try name(after: "$").text)
    case "%": throw substitution()
    case "0"..."9": return try number()
    case _ where Identifier.canBegin(scalar) || scalar == "\\":
      let (name, isEscaped) = try identifier()
      return isEscaped ? .name(name) : .word(name)
    default: return .sign(try sign(beginning: scalar))
    }
  }

  private mutating func sign(
    beginning scalar: Unicode.Scalar
  ) throws(ExpressionError) -> ExpressionToken.Sign {
    if let second = peek(1), let sign = ExpressionToken.Sign(rawValue: "\(scalar)\(second)") {
      index += 2
      return sign
    }
    guard let sign = ExpressionToken.Sign(rawValue: "\(scalar)") else {
      throw error(.unexpected(found: "'\(scalar)'", expected: "a value or an operator"), at: index)
    }
    index += 1
    return sign
  }

  private mutating func name(
    after mark: Unicode.Scalar
  ) throws(ExpressionError) -> (text: String, isEscaped: Bool) {
    index += 1
    guard let scalar = peek(), Identifier.canBegin(scalar) || scalar == "\\" else {
      let found = peek().map { "'\($0)'" } ?? "the end"
      throw error(.unexpected(found: found, expected: "a name after \(mark)"), at: index)
    }
    return try identifier()
  }

  private mutating func identifier() throws(ExpressionError) -> (text: String, isEscaped: Bool) {
    var name = String.UnicodeScalarView()
    var isEscaped = false
    while let scalar = peek() {
      if scalar == "\\" {
        name.append(try escape(inString: false))
        isEscaped = true
      } else if Identifier.canContinue(scalar) {
        name.append(scalar)
        index += 1
      } else {
        break
      }
    }
    return (String(name), isEscaped)
  }

  private func substitution() -> ExpressionError {
    let mark = peek(1).map { "%\($0)" } ?? "%"
    return error(.substitutionArgument(mark), at: index)
  }
}

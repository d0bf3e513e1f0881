import BulkSupport

/// Writes expressions and predicates as Core Data describes them, with only the parentheses that the
/// grammar needs.
struct ExpressionPrinter {
  var text = ""

  /// Writes a value, in parentheses if it binds more loosely than its context requires.
  mutating func write(_ value: ValueExpression, in context: ExpressionPrecedence) {
    let needsParentheses = value.precedence < context
    if needsParentheses { text += "(" }
    writeBare(value)
    if needsParentheses { text += ")" }
  }

  private mutating func writeBare(_ value: ValueExpression) {
    switch value {
    case .constant(let constant): text += constant.expressionText
    case .classConstant(let name): text += "CAST(\(AttributeValue.quoted(name)), \"Class\")"
    case .evaluatedObject: text += "SELF"
    case .variable(let name): text += "$" + Identifier.written(name)
    case .keyPath(let path, let operand): write(path, of: operand)
    case .function(let target, let selector, let arguments):
      writeList([target, .constant(.string(selector))] + arguments, between: "FUNCTION(", ")")
    case .predefined(let selector, let arguments): writeCall(of: selector, arguments)
    case .symbol(let symbol): text += symbol.rawValue
    case .aggregate(let elements): writeList(elements, between: "{", "}")
    case .set(let operation, let first, let second):
      write(first, in: .set)
      text += " \(operation.text) "
      write(second, in: ExpressionPrecedence.set.next)
    case .subquery(let collection, let variable, let predicate):
      writeList([collection, .variable(variable)], between: "SUBQUERY(", ", ")
      write(predicate)
      text += ")"
    case .ternary(let predicate, let then, let otherwise):
      text += "TERNARY("
      write(predicate)
      writeList([then, otherwise], between: ", ", ")")
    case .fetch(let request, let context, let countOnly):
      writeList([request, context], between: "FETCH(", countOnly ? ", YES)" : ", NO)")
    }
  }

  private mutating func write(_ path: String, of operand: ValueExpression) {
    if case .keyPath = operand {
      // Without parentheses the two paths would be parsed as one.
      text += "("
      writeBare(operand)
      text += ")."
    } else if operand != .evaluatedObject {
      write(operand, in: .postfix)
      text += "."
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false)
    text += keys.map(Identifier.writtenKey).joined(separator: ".")
  }

  private mutating func writeCall(of selector: String, _ arguments: [ValueExpression]) {
    if arguments.count == 2 {
      if let infix = InfixOperator.byMeaning[.call(selector)] {
        // The associativity of `**` is not documented: parenthesize both sides.
        write(arguments[0], in: infix.precedence == .power ? .negation : infix.precedence)
        text += " \(infix.spellings[0]) "
        return write(arguments[1], in: infix.precedence.next)
      }
      if selector == "objectFrom:withIndex:" {
        write(arguments[0], in: .postfix)
        return writeList([arguments[1]], between: "[", "]")
      }
      if selector == "castObject:toType:", case .constant(.string(let type)) = arguments[1] {
        return writeList([arguments[0]], between: "CAST(", ", \(AttributeValue.quoted(type)))")
      }
    }
    writeList(arguments, between: selector + "(", ")")
  }

  private mutating func writeList(
    _ values: [ValueExpression],
    between start: String,
    _ end: String
  ) {
    text += start
    for (index, value) in values.enumerated() {
      if index > 0 { text += ", " }
      write(value, in: .set)
    }
    text += end
  }
}

extension ValueExpression {
  fileprivate var precedence: ExpressionPrecedence {
    switch self {
    case .constant(.integer(let number)): number < 0 ? .negation : .postfix
    case .constant(.double(let number)):
      number.sign == .minus && number.isFinite ? .negation : .postfix
    case .predefined(let selector, let arguments) where arguments.count == 2:
      InfixOperator.byMeaning[.call(selector)]?.precedence ?? .postfix
    case .set: .set
    case .keyPath, .constant, .classConstant, .evaluatedObject, .variable, .symbol, .function,
      .predefined, .aggregate, .subquery, .ternary, .fetch:
      .postfix
    }
  }
}

extension ExpressionPrinter {
  /// Writes a predicate; a compound predicate inside another is parenthesized, as in Core Data.
  mutating func write(_ predicate: ValuePredicate) {
    switch predicate {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): write(comparison)
    case .not(let part):
      text += "NOT "
      write([part], joinedBy: "", orElse: "")
    case .and(let parts): write(parts, joinedBy: " AND ", orElse: "TRUEPREDICATE")
    case .or(let parts): write(parts, joinedBy: " OR ", orElse: "FALSEPREDICATE")
    }
  }

  /// Writes a compound predicate; an empty AND is true, and an empty OR is false.
  private mutating func write(
    _ parts: [ValuePredicate],
    joinedBy separator: String,
    orElse empty: String
  ) {
    if parts.isEmpty { text += empty }
    for (index, part) in parts.enumerated() {
      if index > 0 { text += separator }
      let isCompound =
        switch part {
        case .and, .or: true
        case .constant, .comparison, .not: false
        }
      if isCompound { text += "(" }
      write(part)
      if isCompound { text += ")" }
    }
  }

  private mutating func write(_ comparison: ValuePredicate.Comparison) {
    switch comparison.modifier {
    case .direct: break
    case .all: text += "ALL "
    case .any: text += "ANY "
    }
    write(comparison.left, in: .set)
    text += " \(comparison.operator.text)"
    let options = ValuePredicate.Options.letters.filter { comparison.options.contains($0.option) }
    if !options.isEmpty { text += "[\(String(options.map(\.letter)))]" }
    text += " "
    write(comparison.right, in: .set)
  }
}

extension AttributeValue {
  /// The constant as text in an expression.
  ///
  /// A value without a literal becomes a `CAST` with the same meaning: dates as in Core Data, decimal
  /// numbers, UUIDs, URIs and binary data (in base 64) in the same manner.
  var expressionText: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .integer(let number): "\(number)"
    case .double(let number) where number.isFinite: "\(number)"
    case .double(let number): Self.cast(Self.quoted("\(number)"), to: "NSNumber")
    case .decimal(let number): Self.cast(Self.quoted("\(number)"), to: "NSDecimalNumber")
    case .string(let string): Self.quoted(string)
    case .date(let seconds): Self.cast(AttributeValue.double(seconds).expressionText, to: "NSDate")
    case .binary(let bytes): Self.cast(Self.quoted(Data(bytes).base64EncodedString()), to: "NSData")
    case .uuid(let uuid): Self.cast(Self.quoted(uuid.uuidString), to: "NSUUID")
    case .uri(let uri): Self.cast(Self.quoted(uri), to: "NSURL")
    }
  }

  private static func cast(_ text: String, to type: String) -> String {
    "CAST(\(text), \"\(type)\")"
  }

  /// The string in quotation marks, with quotation marks and control characters escaped.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += Identifier.escape(UTF16.CodeUnit(scalar.value))
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

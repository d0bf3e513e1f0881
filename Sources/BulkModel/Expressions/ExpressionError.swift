/// Why a text is not a valid expression or predicate, and where.
public struct ExpressionError: Error, Hashable, Sendable {
  /// The reasons for refusing a text.
  public enum Reason: Hashable, Sendable {
    case unexpected(found: String, expected: String)
    case unterminatedString
    case unknownEscape(String)
    case malformedNumber(String)
    case numberOutOfRange(String)
    /// `%@` or another placeholder for an argument, which only code can supply.
    case substitutionArgument(String)
    case unknownFunction(String, nearest: String?)
    case wrongArgumentCount(function: String, found: Int, expected: Int)
    case tooDeep(limit: Int)
  }

  /// The reason for the refusal.
  public let reason: Reason
  /// The text that was parsed.
  public let text: String
  /// The offset of the error in Unicode scalars.
  public let offset: Int
  /// The line of the error, from 1.
  public let line: Int
  /// The column of the error, from 1, in Unicode scalars.
  public let column: Int

  init(_ reason: Reason, text: String, offset: Int) {
    self.reason = reason
    self.text = text
    self.offset = offset
    let before = text.unicodeScalars.prefix(offset)
    line = before.count { $0 == "\n" } + 1
    column = before.reversed().prefix { $0 != "\n" }.count + 1
  }

  /// The line of the text, with a caret under the error.
  public var excerpt: String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let faulty = lines[line - 1]
    // A tab is kept, so that the caret is below its character whatever the width of a tab.
    let margin = faulty.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
    return "\(String(String.UnicodeScalarView(faulty)))\n\(margin)^"
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The position and the error in one line.
  public var description: String { "\(line):\(column): \(reason)" }
}

extension ExpressionError.Reason: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .unterminatedString: "the string that begins here has no end"
    case .unknownEscape(let escape): "invalid escape sequence \(escape); write \\\\ for a backslash"
    case .malformedNumber(let digits): "\(digits) is not a number"
    case .numberOutOfRange(let digits): "\(digits) does not fit into 64 bits"
    case .substitutionArgument(let mark):
      "\(mark) stands for an argument of code, which a text does not have"
    case .unknownFunction(let name, nearest: let nearest?):
      "unknown function \(name); did you mean \(nearest)?"
    case .unknownFunction(let name, nearest: nil):
      "unknown function \(name); bulkmigrate help expressions lists all"
    case .wrongArgumentCount(let function, let found, let expected):
      "\(function) takes \(expected) argument\(expected == 1 ? "" : "s"), not \(found)"
    case .tooDeep(let limit): "more than \(limit) operations are nested"
    }
  }
}

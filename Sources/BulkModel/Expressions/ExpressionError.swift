/// Why a text is not an expression or a predicate, and where.
public struct ExpressionError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Something stands where something else must stand.
    case unexpected(found: String, expected: String)
    /// A quotation mark has no partner.
    case unterminatedString
    /// A backslash stands before something that it gives no meaning.
    case unknownEscape(String)
    /// Digits and letters that make no number.
    case malformedNumber(String)
    /// A number that 64 bits cannot hold.
    case numberOutOfRange(String)
    /// `%@` or another place for an argument, which only code can fill.
    case substitutionArgument(String)
    /// A function that Core Data does not have, with the nearest one that it has.
    case unknownFunction(String, nearest: String?)
    /// A predefined function with too few or too many arguments.
    case wrongArgumentCount(function: String, found: Int, expected: Int)
    /// Operations or parentheses stand inside one another more often than the limit.
    case tooDeep(limit: Int)
  }

  /// What is wrong.
  public let reason: Reason
  /// The text that was read.
  public let text: String
  /// The number of Unicode scalars before the place.
  public let offset: Int
  /// The line of the place, from 1.
  public let line: Int
  /// The column of the place in its line, from 1, in Unicode scalars.
  public let column: Int

  init(_ reason: Reason, text: String, offset: Int) {
    self.reason = reason
    self.text = text
    self.offset = offset
    let before = text.unicodeScalars.prefix(offset)
    line = before.count { $0 == "\n" } + 1
    column = before.reversed().prefix { $0 != "\n" }.count + 1
  }

  /// The line of the text with a caret under the place.
  public var excerpt: String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let faulty = lines[line - 1]
    // A tab stays a tab, so that the caret stands below its character whatever a tab's width.
    let margin = faulty.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
    return "\(String(String.UnicodeScalarView(faulty)))\n\(margin)^"
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The place and the fault in one line.
  public var description: String { "\(line):\(column): \(reason)" }
}

extension ExpressionError.Reason: CustomStringConvertible {
  /// The fault as a sentence.
  public var description: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .unterminatedString: "the string that begins here has no end"
    case .unknownEscape(let escape): "\(escape) is no escape; write \\\\ for a backslash"
    case .malformedNumber(let digits): "\(digits) is not a number"
    case .numberOutOfRange(let digits): "\(digits) does not fit into 64 bits"
    case .substitutionArgument(let mark):
      "\(mark) stands for an argument of code, which a text does not have"
    case .unknownFunction(let name, nearest: let nearest?):
      "there is no function \(name); did you mean \(nearest)?"
    case .unknownFunction(let name, nearest: nil): "there is no function \(name)"
    case .wrongArgumentCount(let function, let found, let expected):
      "\(function) takes \(expected) argument\(expected == 1 ? "" : "s"), not \(found)"
    case .tooDeep(let limit): "more than \(limit) operations stand inside one another"
    }
  }
}

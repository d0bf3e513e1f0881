internal import BulkCoding
internal import BulkPlatform

/// The order of texts in which `compare:` of `NSString` has them: composed and decomposed characters are
/// equal, and the first scalar that differs decides.
struct TextOrder {
  /// A method that compares two texts.
  enum Method: String, Hashable, CaseIterable {
    case compare = "compare:"
    case caseInsensitive = "caseInsensitiveCompare:"
  }

  private let ignoresCase: Bool

  init(_ method: Method) { ignoresCase = method == .caseInsensitive }

  /// A form in which equal texts have equal scalars.
  func key(_ text: String) -> [UInt8] {
    let folding = TextFolding(ignoresCase: ignoresCase, ignoresDiacritics: false)
    return Array(CanonicalText.decomposed(folding.folded(text)).utf8)
  }

  func compare(_ first: String, _ second: String) -> ComparisonResult {
    let (first, second) = (key(first), key(second))
    if first == second { return .orderedSame }
    return first.lexicographicallyPrecedes(second) ? .orderedAscending : .orderedDescending
  }
}

extension EvaluatedValue {
  /// -1, 0 or 1, as `NSComparisonResult` has it; nil if there is no order.
  static func order(_ result: ComparisonResult?) -> EvaluatedValue {
    result.map { .integer(Int64($0.rawValue)) } ?? .null
  }
}

extension ExpressionType {
  /// The type of an `NSComparisonResult`.
  static var order: ExpressionType { .integer(-1...1) }
  /// The type of a number of elements, of an index and of `NSNotFound`.
  static var count: ExpressionType { .integer(0...(.max)) }
}

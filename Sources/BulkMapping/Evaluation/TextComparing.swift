internal import BulkCoding
internal import BulkModel
internal import BulkPlatform

/// Compares texts with the options of a comparison.
///
/// Without options, and with `n` and `l`, texts are compared by code unit, as SQLite does for Core Data.
/// With `c` or `d`, differences in case or in diacritics are ignored, and so are differences in Unicode
/// normalization.
struct TextComparing {
  var options: ValuePredicate.Options = []
  private var patterns: [String: Result<TextPattern, RegularExpressionFault>] = [:]
  private static let keptPatterns = 64
  private let watch: WorkWatch

  /// - Parameter watch: Counts the steps of long comparisons.
  init(_ watch: WorkWatch = WorkWatch()) { self.watch = watch }

  /// Whether case or diacritics are ignored.
  private var isFolding: Bool {
    !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  /// A form in which texts that compare equal have equal bytes.
  func key(_ text: String) -> [UInt8] {
    Array((isFolding ? Self.folded(text, options) : text).utf8)
  }

  static func folded(_ text: String, _ options: ValuePredicate.Options) -> String {
    TextFolding(
      ignoresCase: options.contains(.caseInsensitive),
      ignoresDiacritics: options.contains(.diacriticInsensitive)
    ).folded(text)
  }

  /// Whether two texts are equal.
  func isEqual(_ first: String, _ second: String) -> Bool {
    isFolding ? key(first) == key(second) : first.utf8.elementsEqual(second.utf8)
  }

  /// The order of two texts by Unicode scalar.
  func order(_ first: String, _ second: String) -> ComparisonResult {
    let (first, second) = (key(first), key(second))
    if first == second { return .orderedSame }
    return first.lexicographicallyPrecedes(second) ? .orderedAscending : .orderedDescending
  }

  /// Whether a text is a substring of another one; an empty text never is.
  func isPart(_ part: String, of whole: String) -> Bool {
    let part = key(part)
    return !part.isEmpty && key(whole).contains(bytes: part, watch)
  }

  /// Whether a text matches a pattern of `LIKE` or `MATCHES`.
  mutating func matches(
    _ text: String,
    _ pattern: String,
    isRegularExpression: Bool
  ) throws(RegularExpressionFault) -> Bool {
    let name = "\(isRegularExpression ? "r" : "l")\(options.rawValue) \(pattern)"
    if let found = patterns[name] { return try found.get().matches(text, watch) }
    if patterns.count >= Self.keptPatterns { patterns.removeAll() }
    let made = made(pattern, isRegularExpression: isRegularExpression)
    patterns[name] = made
    return try made.get().matches(text, watch)
  }

  private func made(
    _ pattern: String,
    isRegularExpression: Bool
  ) -> Result<TextPattern, RegularExpressionFault> {
    guard isRegularExpression else { return .success(TextPattern(like: pattern, options)) }
    do throws(RegularExpressionFault) {
      return .success(try TextPattern(regularExpression: pattern, options))
    } catch {
      return .failure(error)
    }
  }
}

extension [UInt8] {
  /// Whether other bytes occur in these consecutively; `false` once the watch stops.
  func contains(bytes other: [UInt8], _ watch: WorkWatch) -> Bool {
    guard let first = other.first else { return true }
    guard other.count <= count else { return false }
    for start in 0...(count - other.count) where self[start] == first {
      var same = 1
      while same < other.count, self[start + same] == other[same] { same += 1 }
      if same == other.count { return true }
      if watch.isStopped(after: same) { return false }
    }
    return false
  }
}

internal import BulkSupport
internal import BulkModel

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

  init(_ watch: WorkWatch = WorkWatch()) { self.watch = watch }

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

  func isEqual(_ first: String, _ second: String) -> Bool {
    isFolding ? key(first) == key(second) : first.utf8.elementsEqual(second.utf8)
  }

  /// The order of two texts by Unicode scalar.
  func order(_ first: String, _ second: String) -> ComparisonResult {
    ComparisonResult(of: key(first), key(second))
  }

  /// Whether a text is a substring of another one; an empty text never is.
  func isPart(_ part: String, of whole: String) -> Bool {
    let part = key(part)
    return key(whole).index(of: part, watch) != nil
  }

  mutating func matches(
    _ text: String,
    _ pattern: String,
    isRegularExpression: Bool
  ) throws(RegularExpressionFault) -> Bool {
    let name = "\(isRegularExpression ? "r" : "l")\(options.rawValue) \(pattern)"
    if let found = patterns[name] { return try found.get().matches(text, watch) }
    if patterns.count >= Self.keptPatterns { patterns.removeAll() }
    let made = Result { () throws(RegularExpressionFault) in
      isRegularExpression
        ? try TextPattern(regularExpression: pattern, options)
        : TextPattern(like: pattern, options)
    }
    patterns[name] = made
    return try made.get().matches(text, watch)
  }
}

/// A sequence that is searched for in others, in time proportional to their lengths.
///
/// Source: Knuth, Morris and Pratt, *Fast Pattern Matching in Strings*.
struct SearchedSequence<Element: Equatable> {
  let elements: [Element]
  /// For each beginning of the sequence, the longest shorter beginning that it ends with.
  private var shorter: [Int] = []

  init(_ elements: [Element]) {
    self.elements = elements
    shorter.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      // Of a single element nothing is shorter.
      shorter.append(index == 0 ? 0 : count(after: shorter[index - 1], element))
    }
  }

  /// The length of the longest beginning that elements end with, after one more of them.
  func count(after count: Int, _ element: Element) -> Int {
    var count = count
    if count == elements.count { count = count == 0 ? 0 : shorter[count - 1] }
    while count > 0, elements[count] != element { count = shorter[count - 1] }
    return count < elements.count && elements[count] == element ? count + 1 : 0
  }
}

extension [UInt8] {
  /// The first index from a start on at which other bytes occur; `nil` for no bytes, and once the watch stops.
  func index(of other: [UInt8], from start: Int = 0, _ watch: WorkWatch) -> Int? {
    guard let first = other.first, start + other.count <= count else { return nil }
    let wanted = SearchedSequence(other)
    var matched = 0
    var steps = 0
    for index in start..<count where matched > 0 || self[index] == first {
      matched = wanted.count(after: matched, self[index])
      if matched == other.count { return index + 1 - matched }
      steps += 1
      if steps == 4096 {
        if watch.isStopped(after: steps) { return nil }
        steps = 0
      }
    }
    _ = watch.isStopped(after: steps)
    return nil
  }
}

/// The order of texts by `compare:` of `NSString`: composed and decomposed characters are equal,
/// and the first scalar that differs decides.
enum TextOrder: String {
  case exact = "compare:"
  case caseInsensitive = "caseInsensitiveCompare:"

  /// A form in which equal texts have equal scalars.
  func key(_ text: String) -> [UInt8] {
    let folding = TextFolding(ignoresCase: self == .caseInsensitive, ignoresDiacritics: false)
    return Array(CanonicalForm.decomposed(folding.folded(text)).utf8)
  }

  func compare(_ first: String, _ second: String) -> ComparisonResult {
    ComparisonResult(of: key(first), key(second))
  }
}

extension ComparisonResult {
  fileprivate init(of first: [UInt8], _ second: [UInt8]) {
    let isSmaller = first.lexicographicallyPrecedes(second)
    self = first == second ? .orderedSame : isSmaller ? .orderedAscending : .orderedDescending
  }
}

extension EvaluatedValue {
  /// -1, 0 or 1, as `NSComparisonResult` has it; nil if they are unordered.
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

/// Finds a text in others as `NSString` does without options: composed and decomposed characters are equal,
/// and a match contains a character only with all marks behind it.
///
/// An empty text is found nowhere. Source: `rangeOfString:` and `NSLiteralSearch` in Apple's reference.
struct CanonicalSearch {
  private let sequence: SearchedSequence<Unicode.Scalar>
  private let watch: WorkWatch
  private var wanted: [Unicode.Scalar] { sequence.elements }

  init(_ wanted: String, _ watch: WorkWatch) {
    sequence = SearchedSequence(CanonicalForm.decomposed(wanted[...].unicodeScalars))
    self.watch = watch
  }

  /// The first occurrence in a text that is accepted, from an index on.
  func range(
    in text: String,
    from start: String.Index? = nil,
    where accepts: (Range<String.Index>) -> Bool = { _ in true }
  ) -> Range<String.Index>? {
    guard let first = wanted.first else { return nil }
    let scalars = text.unicodeScalars
    var matched = 0
    /// The scalars read so far, decomposed.
    var count = 0
    /// The characters at which a match may begin, with the scalars before them.
    var starts: [(index: String.Index, count: Int)] = []
    /// The first of them that a match may still have.
    var head = 0
    var index = start ?? text.startIndex
    while index < scalars.endIndex {
      let end = Self.next(index, in: scalars)
      defer { index = end }
      if matched == 0 || head > 1024 && head > starts.count / 2 {
        starts.removeFirst(matched == 0 ? starts.count : head)
        head = 0
      }
      // No scalar below U+00C0 has parts, so most characters need a single comparison.
      if matched == 0, scalars[index].value < 0xC0, scalars[index] != first { continue }
      starts.append((index, count))
      let parts = CanonicalForm.decomposed(scalars[index..<end])
      if watch.isStopped(after: parts.count) { return nil }
      for part in parts { matched = sequence.count(after: matched, part) }
      count += parts.count
      while head < starts.count, starts[head].count + matched < count { head += 1 }
      // A match begins and ends with characters.
      if matched == wanted.count, head < starts.count, starts[head].count + matched == count,
        accepts(starts[head].index..<end)
      {
        return starts[head].index..<end
      }
    }
    return nil
  }

  func begins(_ text: String) -> Bool {
    range(in: text) { $0.lowerBound == text.startIndex } != nil
  }

  func ends(_ text: String) -> Bool { range(in: text) { $0.upperBound == text.endIndex } != nil }

  /// The end of the character at a position, marks included.
  private static func next(
    _ position: String.Index,
    in scalars: String.UnicodeScalarView
  ) -> String.Index {
    var end = scalars.index(after: position)
    while end < scalars.endIndex, isMark(scalars[end]) { end = scalars.index(after: end) }
    return end
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }
}

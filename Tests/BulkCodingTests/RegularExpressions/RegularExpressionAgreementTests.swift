import BulkSupport
import Foundation
import Testing

struct RegularExpressionAgreementTests {
  private static let atoms = [
    "a", "b", "c", "A", "ab", "aß", "s", "S", "ss", "ß", "\\n", "\\r", ".", "(?s:.)", "[ab]",
    "[^a]", "[a-c&&[^b]]", "[\\w--a]", "\\d", "\\W", "\\s", "\\b", "\\B", "\\A", "\\Z", "\\z",
    "\\R",
    "(?i)", "(?-i)", "(?i:a)", "(?i:ss)", "(?i:[^sa])", "\u{301}", "\\p{Lu}", "(?i:\\p{Lu})",
    "\\P{Ll}", "(?d)", "(?m)", "(?s)", "k", "\u{212A}", "(?i:k)", "(?i:[k-m])", "|", "()",
  ]
  private static let anchors = ["^", "$", "(?m:^)", "(?m:$)", "(?d:$)", "(?dm:^)", "(?dm:$)"]
  private static let quantifiers = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "{0}"]
  private static let letters = [
    "a", "b", "c", "A", "s", "S", "ß", "ẞ", "\n", "\r", "\r\n", "1", " ", "\u{301}", "k",
    "\u{212A}", "\u{2028}",
  ]

  /// A pattern of some parts; groups stand as deep as is said.
  private static func pattern(_ depth: Int, _ random: inout SeededRandom) -> String {
    var pattern = ""
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      pattern += part(depth, &random)
    }
    return pattern
  }

  private static func part(_ depth: Int, _ random: inout SeededRandom) -> String {
    let kind = depth == 0 ? 9 : Int.random(in: 0..<10, using: &random)
    var part: String
    switch kind {
    case 0: part = "(\(pattern(depth - 1, &random)))"
    case 1: part = "(?i:\(pattern(depth - 1, &random)))"
    case 2: part = "(?:\(pattern(depth - 1, &random))|\(pattern(depth - 1, &random)))"
    case 3: return anchors[Int.random(in: 0..<anchors.count, using: &random)]
    default: part = atoms[Int.random(in: 0..<atoms.count, using: &random)]
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      part += quantifiers[Int.random(in: 0..<quantifiers.count, using: &random)]
    }
    return part
  }

  @Test(arguments: 1...8)
  func `random patterns and texts agree`(seed: UInt64) throws {
    var random = SeededRandom(state: seed)
    var disagreements: [String] = []
    var matches = 0
    for _ in 0..<120 {
      let pattern = Self.pattern(2, &random)
      let icu = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
      let ours: RegularExpression?
      do throws(RegularExpressionFault) {
        ours = try RegularExpression(pattern)
      } catch {
        if case .unsupported = error { continue }
        ours = nil
      }
      guard let icu, let ours else {
        if (icu == nil) != (ours == nil) { disagreements.append(pattern) }
        continue
      }
      for _ in 0..<10 {
        let text = (0..<Int.random(in: 0...4, using: &random))
          .map { _ in Self.letters[Int.random(in: 0..<Self.letters.count, using: &random)] }
          .joined()
        let range = NSRange(location: 0, length: text.utf16.count)
        let expected = icu.firstMatch(in: text, range: range) != nil
        if expected { matches += 1 }
        if try ours.matchesWhole(text) != expected {
          disagreements.append("\(pattern.debugDescription) \(text.debugDescription) \(expected)")
        }
      }
    }
    #expect(disagreements == [])
    #expect(matches > 40)
  }
}

/// Numbers that a seed decides.
private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

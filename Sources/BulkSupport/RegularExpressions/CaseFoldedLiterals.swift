/// Literals without regard to case by full case folding, as patterns of PCRE2, which has the simple one.
enum CaseFoldedLiterals {
  /// Scalars that are equal without regard to case since Unicode 15.1, which PCRE2 does not know.
  static let unknownPairs: [[Unicode.Scalar]] = [
    ["\u{390}", "\u{1FD3}"], ["\u{3B0}", "\u{1FE3}"], ["\u{FB05}", "\u{FB06}"],
  ]

  /// The scalars whose folding has several, by that.
  private static let expansions: [[Unicode.Scalar]: [Unicode.Scalar]] = {
    let ranges: [ClosedRange<UInt32>] = [
      0xDF...0x1F0, 0x390...0x587, 0x1E96...0x1FFF, 0xFB00...0xFB17,
    ]
    var found: [[Unicode.Scalar]: [Unicode.Scalar]] = [:]
    for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
      let folding = scalar.caseFolding
      if folding.count > 1 { found[folding, default: []].append(scalar) }
    }
    return found
  }()

  /// A pattern of all texts that fold as the literals do.
  static func pattern(_ literals: [Unicode.Scalar]) -> String {
    let folded = literals.flatMap(\.caseFolding)
    var pattern = ""
    var start = 0
    // The caller refuses what is longer.
    while start < folded.count, pattern.utf8.count < 50_000 {
      // As far as expansions overlap.
      var end = start + 1
      var index = start
      while index < end {
        for length in 2...3 where expansion(folded, at: index, length) != nil {
          end = max(end, index + length)
        }
        index += 1
      }
      pattern +=
        end == start + 1 ? PatternClass.literal(folded[start]) : "(?:\(ways(folded, start, end)))"
      start = end
    }
    return pattern
  }

  private static func expansion(
    _ folded: [Unicode.Scalar],
    at index: Int,
    _ length: Int
  ) -> [Unicode.Scalar]? {
    index + length <= folded.count ? expansions[Array(folded[index..<index + length])] : nil
  }

  /// The ways to write a part, until there are too many.
  private static func ways(_ folded: [Unicode.Scalar], _ start: Int, _ end: Int) -> String {
    var tails: [Int: String] = [:]
    tails[end] = ""
    for index in (start..<end).reversed() {
      var ways = [PatternClass.literal(folded[index]) + (tails[index + 1] ?? "")]
      for length in 2...3 where index + length <= end {
        guard let scalars = expansion(folded, at: index, length) else { continue }
        ways.append(
          "[\(scalars.map(PatternClass.literal).joined())]" + (tails[index + length] ?? "")
        )
      }
      let text = ways.joined(separator: "|")
      tails[index] = ways.count == 1 ? text : "(?:\(text))"
      if text.utf8.count > 50_000 { return text }
    }
    return tails[start] ?? ""
  }
}

import BulkTestSupport
import Testing

/// The expected texts and digests are those of Foundation's `folding(options:locale:)` and
/// `precomposedStringWithCanonicalMapping`, swift-corelibs-foundation 6.3.1 on Linux.
struct TextFoldingTests {
  private static let ofCase = TextFolding(ignoresCase: true, ignoresDiacritics: false)
  private static let ofDiacritics = TextFolding(ignoresCase: false, ignoresDiacritics: true)
  private static let ofBoth = TextFolding(ignoresCase: true, ignoresDiacritics: true)

  @Test(arguments: [
    ("Stra\u{DF}e", "strasse", "Stra\u{DF}e", "strasse"),
    ("\u{C9}COLE", "\u{E9}cole", "ECOLE", "ecole"),
    ("e\u{301}cole", "\u{E9}cole", "ecole", "ecole"),
    ("\u{130}stanbul", "i\u{307}stanbul", "Istanbul", "istanbul"),
    ("\u{132}SSEL \u{FB01}n", "\u{133}ssel fin", "\u{132}SSEL \u{FB01}n", "\u{133}ssel fin"),
    (
      "\u{38C}\u{394}\u{39F}\u{3A3}", "\u{3CC}\u{3B4}\u{3BF}\u{3C3}",
      "\u{39F}\u{394}\u{39F}\u{3A3}", "\u{3BF}\u{3B4}\u{3BF}\u{3C3}"
    ),
    (
      "\u{401}\u{43B}\u{43A}\u{430}", "\u{451}\u{43B}\u{43A}\u{430}",
      "\u{415}\u{43B}\u{43A}\u{430}", "\u{435}\u{43B}\u{43A}\u{430}"
    ),
    ("\u{141}\u{F3}d\u{17A}", "\u{142}\u{F3}d\u{17A}", "\u{141}odz", "\u{142}odz"),
    ("\u{5D0}\u{5B5}", "\u{5D0}\u{5B5}", "\u{5D0}\u{5B5}", "\u{5D0}\u{5B5}"),
    (
      "\u{628}\u{64E}\u{200C}", "\u{628}\u{64E}\u{200C}", "\u{628}\u{200C}\u{64E}",
      "\u{628}\u{200C}\u{64E}"
    ),
    ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}", "\u{AC01}", "\u{AC01}"),
    ("\u{30AB}\u{3099}", "\u{30AC}", "\u{30AC}", "\u{30AC}"),
    ("\u{1E9E}\u{301}", "s\u{15B}", "\u{1E9E}", "ss"),
    ("\u{212B} A\u{30A}", "\u{E5} \u{E5}", "A A", "a a"),
    ("o\u{332}\u{308}x", "\u{F6}\u{332}x", "ox", "ox"),
    ("\u{13A0}", "\u{AB70}", "\u{13A0}", "\u{AB70}"),
  ])
  func `a text folds as Foundation folds it, without case, without diacritics and without both`(
    text: String,
    withoutCase: String,
    withoutDiacritics: String,
    withoutBoth: String
  ) {
    // Equality of Swift's strings knows canonical equivalence.
    #expect(Array(Self.ofCase.folded(text).utf8) == Array(withoutCase.utf8))
    #expect(Array(Self.ofDiacritics.folded(text).utf8) == Array(withoutDiacritics.utf8))
    #expect(Array(Self.ofBoth.folded(text).utf8) == Array(withoutBoth.utf8))
  }

  @Test(arguments: [
    (ofCase, "53954f84b64164238bf6569165a49c0f170970ba6f42340a9e72d6bcb8a0bd31"),
    (ofDiacritics, "a740c919d2079fd5e49ccec143ad5ac6cd7b84a5b49ed1b3679d374dcbcc8571"),
    (ofBoth, "b86efe1d759e8366d2cd1c0461f28e19d7c4d0a484b51ff7a05332c879f6ea3c"),
  ])
  func `every scalar alone folds as Foundation folds it`(folding: TextFolding, digest: String) {
    let ranges = Self.ranges + [0x10000...0x1FFFF]
    #expect(Self.digest(of: ranges, folding) { ["\($0)"] } == digest)
  }

  @Test(arguments: [
    (ofCase, "fd219d54159a5fe0b1a5b130629aee481b030334552d84df29e7303882fc9037"),
    (ofDiacritics, "941bf61dfb0d055a5c8196bdec1b7e08d1ca6fbf51e4ab6a3b87630adc442f01"),
    (ofBoth, "1ee150291547b3d67d5828d514a26201c3025ea468fd914ea8aea4c521fa36da"),
  ])
  func `every scalar among marks folds as Foundation folds it`(
    folding: TextFolding,
    digest: String
  ) {
    let found = Self.digest(of: Self.ranges, folding) {
      ["e\($0)\u{301}", "\($0)\u{323}\u{301}"]
    }
    #expect(found == digest)
  }

  @Test(arguments: [
    // Foundation makes the Latin capital A with acute of it, U+00C1.
    ("\u{10041}\u{301}", "\u{10041}\u{301}"),
    // Foundation leaves a syllable and a consonant that follows it.
    ("\u{D018}\u{11AC}", "\u{D01D}"),
    // Foundation composes an archaic leading consonant to U+D7DC, which is not a syllable.
    ("\u{1113}\u{1163}", "\u{1113}\u{1163}"),
  ])
  func `where Foundation departs from Unicode, the text follows Unicode`(
    text: String,
    folded: String
  ) {
    #expect(Array(Self.ofCase.folded(text).utf8) == Array(folded.utf8))
  }

  /// Scalars of the basic plane, except for ideographs and Hangul syllables, which fold to themselves.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x80...0x33FF, 0xA000...0xABFF, 0xF900...0xFFFF,
  ]

  /// The SHA-256 of the folded texts of scalars, each with a line break behind it.
  private static func digest(
    of ranges: [ClosedRange<UInt32>],
    _ folding: TextFolding,
    _ texts: (Unicode.Scalar) -> [String]
  ) -> String {
    var hash = SHA256()
    for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
      for text in texts(scalar) { hash.update(folding.folded(text) + "\n") }
    }
    return hash.finalize().hex
  }
}

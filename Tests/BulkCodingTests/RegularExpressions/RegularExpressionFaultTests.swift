import BulkSupport
import Testing

struct RegularExpressionFaultTests {
  private func fault(_ pattern: String) -> RegularExpressionFault? {
    #expect(throws: RegularExpressionFault.self) { try RegularExpression(pattern) }
  }

  @Test(
    arguments: [
      ("\\N{DIGIT ONE}", .unsupported("\\N", column: 1)),
      ("(?i)[\\w--a]", .unsupported("-- without regard to case before 11", column: 11)),
      ("(?i)(a)\\1", .unsupported("a reference without regard to case", column: 8)),
      ("(?i)(?<n>a)\\k<n>", .unsupported("a reference without regard to case", column: 12)),
      ("(?iw)a", .unsupported("the flag w", column: 4)),
    ] as [(String, RegularExpressionFault)]
  )
  func `what is not known is named`(pattern: String, expected: RegularExpressionFault) {
    #expect(fault(pattern) == expected)
  }

  /// ICU takes none of these.
  @Test(
    arguments: [
      "}", "{", "a{", "a{,3}", "a{1 }", "\\b*", "a**", "a+*", "a{2}{3}", "(?i)*", "*a", "a|*",
      "[a-\\d]", "[a--]", "[z-a]", "[]", "[", "[a", "\\pL", "\\0", "\\u41", "(?<1>a)", "(?P<n>a)",
      "(?)a", "(?#c", "(?z)a", "a{2,1}", "a{99999999999}", ")", "(", "\\", "a\\", "\\Z*",
      "(?x)[a#b]", "[&&a]", "[a&&]", "[--a]", "[a-\\n]", "(?<n>a)(?<n>b)", "(?x)\\x 41", "\\uD800",
      "\\x{110000}",
    ]
  )
  func `what breaks the grammar is refused`(pattern: String) throws {
    guard case .invalid = fault(pattern) else {
      Issue.record("\(pattern) is refused for another reason")
      return
    }
  }

  @Test(
    arguments: [
      ("(", "is not a regular expression: at character 1 ( is never closed"),
      ("ab*?)", "is not a regular expression: at character 5 ) closes nothing"),
      ("a[b-a]", "is not a regular expression: at character 3 the range ends before it begins"),
      ("a\\N{X}", "cannot be matched: at character 2 there is \\N, which is not supported"),
      (
        "[a\\p{foo}]",
        "is not a regular expression: at character 1 unknown property after \\P or \\p"
      ),
      (
        "b(?<=a*)",
        "is not a regular expression: at character 2 lookbehind assertion is not fixed length"
      ),
      ("a\\1", "is not a regular expression: at character 2 reference to non-existent subpattern"),
      (
        "a{65536}",
        "is not a regular expression: at character 2 number too big in {} quantifier"
      ),
      (
        "(((a{1000}b){1000}c){1000})",
        "is not a regular expression: at character 27 regular expression is too large"
      ),
      (
        "(?i)(?:ffi" + String(repeating: "s", count: 50) + ")",
        "is not a regular expression: at character 8 there are too many ways to write it in another case"
      ),
    ]
  )
  func `a fault says what and where`(pattern: String, expected: String) {
    #expect(fault(pattern)?.description == expected)
  }

  @Test(arguments: [
    "(?i)" + String(repeating: "ssssssssssssssss()", count: 7000),
    "(?i)" + String(repeating: "ssssssssssssssssa", count: 7000),
    "(?i)[" + String(repeating: "\\p{Lu}", count: 20_000) + "]",
    "(?i)[" + String(repeating: "[\\p{Lu}]", count: 16_000) + "]",
    "(?i)" + String(repeating: "\\p{Lu}", count: 20_000),
  ])
  func `a short pattern of a large translation is refused at once`(pattern: String) {
    let start = ContinuousClock.now
    guard case .invalid = fault(pattern) else {
      Issue.record("it is not refused")
      return
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `a set has fewer than 250 operations`() throws {
    func pattern(_ count: Int) -> String { "[a" + String(repeating: "--b", count: count) + "]" }
    #expect(try RegularExpression(pattern(249)).matchesWhole("a"))
    #expect(fault(pattern(250)) == .tooDeep(limit: 250, column: 753))
    #expect(fault(pattern(25_000)) == .tooDeep(limit: 250, column: 753))
  }

  @Test func `groups stand 250 deep and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(try RegularExpression(nested(250)).matchesWhole("a"))
    #expect(fault(nested(251)) == .tooDeep(limit: 250, column: 251))
    #expect(fault(nested(1_000_000)) == .tooDeep(limit: 250, column: 251))
  }

  @Test func `sets stand 249 deep and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + "a" + String(repeating: "]", count: depth)
    }
    #expect(try RegularExpression(nested(249)).matchesWhole("a"))
    #expect(fault(nested(251)) == .tooDeep(limit: 250, column: 251))
  }
}

import BulkCoding
import Testing

@Suite("Patterns that are refused")
struct RegularExpressionFaultTests {
  private func fault(_ pattern: String) -> RegularExpressionFault? {
    #expect(throws: RegularExpressionFault.self) { try RegularExpression(pattern) }
  }

  @Test(
    arguments: [
      ("(a)\\1", .needsBacktracking("a reference to a group", column: 4)),
      ("(?<n>a)\\k<n>", .needsBacktracking("a reference to a group", column: 8)),
      ("a(?=b)", .needsBacktracking("look-ahead", column: 2)),
      ("a(?!b)", .needsBacktracking("look-ahead", column: 2)),
      ("(?<=a)b", .needsBacktracking("look-behind", column: 1)),
      ("(?<!a)b", .needsBacktracking("look-behind", column: 1)),
      ("(?>a)b", .needsBacktracking("an atomic group", column: 1)),
      ("ba*+", .needsBacktracking("a possessive quantifier", column: 4)),
      ("ba{1,2}+", .needsBacktracking("a possessive quantifier", column: 8)),
    ] as [(String, RegularExpressionFault)]
  )
  func `what needs backtracking is named`(pattern: String, expected: RegularExpressionFault) {
    #expect(fault(pattern) == expected)
  }

  @Test(
    arguments: [
      ("a\\X", .unsupported("\\X", column: 2)),
      ("\\N{DIGIT ONE}", .unsupported("\\N", column: 1)),
      ("[a\\p{Greek}]", .unsupported("the property Greek", column: 3)),
      ("[[:foo:]]", .unsupported("the property foo", column: 2)),
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
      (
        "(a)\\1", "cannot be matched in linear time: at character 4 there is a reference to a group"
      ),
      ("\\X", "cannot be matched: at character 1 there is \\X, which is not supported"),
    ]
  )
  func `a fault says what and where`(pattern: String, expected: String) {
    #expect(fault(pattern)?.description == expected)
  }

  @Test(
    arguments: [
      ("a{10001}", 8), ("((a{100}){100}){2}", 18), ("a{1000000000}{2}", 13),
      ("(?:a{3000}|b{3000}){2}", 22), ("(((a{1000000000}){1000000000}){1000000000})", 16),
    ]
  )
  func `states are counted before they are made`(pattern: String, column: Int) {
    #expect(fault(pattern) == .tooManyStates(limit: 10_000, column: column))
  }

  @Test func `as many states as the limit are made`() throws {
    let expression = try RegularExpression("a{10000}")
    #expect(expression.matchesWhole(String(repeating: "a", count: 10_000)))
    #expect(!expression.matchesWhole(String(repeating: "a", count: 9_999)))
  }

  @Test func `nothing repeated a thousand million times is nothing`() throws {
    #expect(try RegularExpression("(){1000000000}").matchesWhole(""))
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

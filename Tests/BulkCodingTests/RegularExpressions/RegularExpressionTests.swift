import BulkTestSupport
import Testing

@Suite("Regular expressions over whole texts", .tags(.promise33))
struct RegularExpressionTests {
  @Test(arguments: WholeTextCase.all)
  func `whole texts match as ICU says`(of it: WholeTextCase) throws {
    let expression = try RegularExpression(it.pattern)
    #expect(try it.matching.filter { try expression.matchesWhole($0) } == it.matching)
    #expect(try it.others.filter { try expression.matchesWhole($0) } == [])
  }

  @Test(arguments: [
    ("(?x)a b # c", "ab"), ("\\Qa.b", "a.b"), ("\\Q\\E", ""),
  ])
  func `comments and quotes end with the pattern`(pattern: String, text: String) throws {
    #expect(try RegularExpression(pattern).matchesWhole(text))
  }

  @Test(arguments: [("straße", "STRASSE"), ("STRASSE", "straße"), ("[k]", "\u{212A}"), ("k", "K")])
  func `case does not count where that is asked for`(pattern: String, text: String) throws {
    let caseless = try RegularExpression(pattern, isCaseInsensitive: true)
    #expect(try caseless.matchesWhole(text))
    let exact = try RegularExpression(pattern)
    #expect(try !exact.matchesWhole(text))
  }

  @Test(arguments: [
    ("(\\w+) \\1", "ha ha", "ha he"), ("(?<x>.)\\k<x>", "aa", "ab"),
    ("(?=.*\\d).{3,}", "abc1", "abcd"), ("(?!ab).*", "ba", "ab"), ("ab(?<=b)c", "abc", "abb"),
    (".*(?<!y)", "xz", "xy"), ("(?>a*)b", "aab", "aa"), ("a*+b", "ab", "a"),
    ("\\X", "e\u{301}", "ee"),
    ("\\p{Greek}+", "αβγ", "abc"),
  ])
  func `look-around, references and what else needs backtracking work`(
    pattern: String,
    text: String,
    other: String
  ) throws {
    let expression = try RegularExpression(pattern)
    #expect(try expression.matchesWhole(text))
    #expect(try !expression.matchesWhole(other))
  }

  @Test(arguments: [
    "(a+)+$", "(a|aa)+", "(a*)*b", "(.*a){20}", "(?:a?){30}a{30}b", "(?:[^z]*+z|a)*!!",
    "(?:(?=[^z]*!).)*!!",
  ])
  func `a match that takes too many steps fails within seconds`(pattern: String) throws {
    let expression = try RegularExpression(pattern)
    let start = ContinuousClock.now
    do throws(RegularExpressionFault) {
      let text = String(repeating: "a", count: 200_000) + "!"
      let matches = try expression.matchesWhole(text)
      #expect(!matches)
    } catch {
      #expect(error == .tooCostly(units: 200_001))
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  private static let many = String(
    String.UnicodeScalarView((0x4E00..<0x7000).compactMap(Unicode.Scalar.init))
  )

  @Test(arguments: [
    ("(?:(?=\\W*+!)|.)*(?:!|x)", "."), ("(?:\\X|.)*(?:!|x)", "\u{301}"),
    ("[\(many)]*!", "\u{6FFF}"), ("(?:[\(many)]|[\(many)])*(?:!|x)", "\u{6FFF}"),
    ("(?:a|a)*\\w{5000}!", "a"), ("(?:a|a)*(?:aaa){1000}!", "a"),
    ("(?:a|a)*" + String(repeating: "a", count: 5000) + "!", "a"),
    ("(?:(a*)\\1|a)*(?:!|x)", "a"), ("(?:(?<=\\w{1000})|.)*(?:!|x)", "a"),
  ])
  func `a match whose steps are costly fails within seconds`(
    pattern: String,
    letter: String
  ) throws {
    let expression = try RegularExpression(pattern)
    let start = ContinuousClock.now
    #expect(throws: RegularExpressionFault.tooCostly(units: 50_000)) {
      try expression.matchesWhole(String(repeating: letter, count: 50_000))
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `a watch ends a costly match while it runs`() throws {
    let expression = try RegularExpression("(?:(?=\\W*+!)|.)*(?:!|x)")
    let watch = WorkWatch { true }
    #expect(try !expression.matchesWhole(String(repeating: ".", count: 20_000), watch))
    #expect(watch.isStopped)
  }

  @Test func `look-ahead over a long text matches`() throws {
    let text = "aB3" + String(repeating: "q", count: 60_000)
    let expression = try RegularExpression("(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}")
    #expect(try expression.matchesWhole(text))
  }

  /// A set of classes keeps each of its positions, which fit the memory of a match up to here.
  @Test func `a text of a quarter of a megabyte matches`() throws {
    let text = String(repeating: "a line\r\n", count: 31_250)
    #expect(try RegularExpression("(?s).*").matchesWhole(text))
    #expect(try RegularExpression("(?s).+").matchesWhole(text))
    #expect(try RegularExpression("[\\w\\s]+").matchesWhole(text))
    #expect(try !RegularExpression("[^x]*x").matchesWhole(text))
  }

  @Test func `a stopped watch ends a match`() throws {
    let watch = WorkWatch { true }
    let expression = try RegularExpression("a")
    #expect(
      try (0..<4).map { _ in try expression.matchesWhole("a", watch) } == [true, true, true, false]
    )
  }

  @Test func `a class of case holds what Unicode puts into it`() throws {
    let theta = try RegularExpression("(?i)θ+")
    #expect(try theta.matchesWhole("θΘϑϴ"))
    let dotless = try RegularExpression("(?i)[iıİ]")
    let matching = try ["i", "I", "ı", "İ", "J"].filter { try dotless.matchesWhole($0) }
    #expect(matching == ["i", "I", "ı", "İ"])
  }
}

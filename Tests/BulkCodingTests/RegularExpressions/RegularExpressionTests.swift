import BulkCoding
import Testing

@Suite("Regular expressions over whole texts")
struct RegularExpressionTests {
  @Test(arguments: WholeTextCase.all)
  func `whole texts match as ICU says`(of it: WholeTextCase) throws {
    let expression = try RegularExpression(it.pattern)
    #expect(it.matching.filter { expression.matchesWhole($0) } == it.matching)
    #expect(it.others.filter { expression.matchesWhole($0) } == [])
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
    #expect(caseless.matchesWhole(text))
    let exact = try RegularExpression(pattern)
    #expect(!exact.matchesWhole(text))
  }

  @Test(arguments: ["(a+)+$", "(a|aa)+", "(a*)*b", "(.*a){20}", "(?:a?){30}a{30}b"])
  func `nothing is tried twice`(pattern: String) throws {
    let expression = try RegularExpression(pattern)
    #expect(!expression.matchesWhole(String(repeating: "a", count: 5_000) + "!"))
  }

  @Test func `a class of case holds what Unicode puts into it`() throws {
    let theta = try RegularExpression("(?i)θ+")
    #expect(theta.matchesWhole("θΘϑϴ"))
    let dotless = try RegularExpression("(?i)[iıİ]")
    let matching = ["i", "I", "ı", "İ", "J"].filter { dotless.matchesWhole($0) }
    #expect(matching == ["i", "I", "ı", "İ"])
  }
}

import Foundation
import Testing

/// The words of `WordsThatAreOut.txt` (Plans/decisions/0012-words.md).
struct WordTests {
  private static let list = "LayeringTests/WordsThatAreOut.txt"

  /// An expression that finds the words under a heading of the list.
  private static func words(
    in heading: String,
    _ options: NSRegularExpression.Options = []
  ) throws -> NSRegularExpression {
    let parts = try Project.text("Tests/\(list)").components(separatedBy: "\n[")
    let part = try #require(parts.first { $0.hasPrefix(heading + "]") })
    let words = part.split(separator: "\n").dropFirst().joined(separator: "|")
    return try NSRegularExpression(pattern: "\\b(?:\(words))\\b", options: options)
  }

  /// The lines of a text with such words.
  private static func lines(of text: String, with words: NSRegularExpression) -> [Substring] {
    words.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
      Range(match.range, in: text).map { text[text.lineRange(for: $0)] }
    }
  }

  @Test(arguments: [
    ("Sources", [".swift", ".h", ".c", ".md"]), ("Tests", [".swift"]),
    ("Plans", [".md", ".json", ".jq", ".yml", ".sbatch", ".pml"]),
  ])
  func `no sentence has them`(folder: String, ends: [String]) throws {
    let words = try Self.words(in: "sentences", .caseInsensitive)
    for end in ends {
      for (path, text) in try Project.files(under: folder, endingWith: end)
      where !path.hasSuffix("0012-words.md") && !path.hasSuffix("RemovedBefore01.md") {
        #expect(Self.lines(of: text, with: words) == [], "\(folder)/\(path)")
      }
    }
  }

  @Test(arguments: ["README.md", "SECURITY.md", "CONTRIBUTING.md"])
  func `no page has them`(path: String) throws {
    let words = try Self.words(in: "sentences", .caseInsensitive)
    #expect(Self.lines(of: try Project.text(path), with: words) == [])
  }

  @Test func `no name has them`() throws {
    let words = try Self.words(in: "names")
    for (path, code) in try Project.code() {
      #expect(Self.lines(of: code, with: words) == [], "Sources/\(path)")
    }
  }

  @Test(arguments: [
    "there is no row", "a name that is no longer used", "in place", "it takes place", "at all",
    "the values in all columns", "it holds in all cases", "those of all",
  ])
  func `right English is not found`(text: String) throws {
    let words = try Self.words(in: "sentences", .caseInsensitive)
    #expect(Self.lines(of: text, with: words) == [])
  }
}

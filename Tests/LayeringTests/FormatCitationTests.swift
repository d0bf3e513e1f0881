import Foundation
import Testing

/// The pages of `Plans/formats`, and what refers to them.
enum FormatPages {
  struct Citation: Hashable {
    let page: String
    /// The number of a statement or a section; `nil` where none is named.
    let number: String?
  }

  /// The numbers of the statements and sections of each page.
  static func numbers() throws -> [String: Set<String>] {
    try Project.files(under: "Plans/formats", endingWith: ".md").mapValues { text in
      let found = text.matches(of: /(?m)^(?:\| (\d+\.\d+) \||## (\d+)\. )/)
      return Set(found.compactMap { $0.1 ?? $0.2 }.map(String.init))
    }
  }

  /// The citations in a text, such as of `store.md` 5.4, 4.1 to 4.4 or 2.2 and 5.3; not a path in quotes.
  static func citations(in text: String) -> [Citation] {
    let list =
      #/
      formats/([a-z-]+\.md)(?!")
      (?:`?,?\s+(?:///?\ |\#\ )?(\d[\d.]*(?:(?:,|\ and|,\ and|\ to)\ \d[\d.]*)*))?
      /#
    return text.matches(of: list).flatMap { match -> [Citation] in
      let page = String(match.1)
      guard let numbers = match.2 else { return [Citation(page: page, number: nil)] }
      return numbers.matches(of: /((?:\d+\.)?)(\d+)(?: to (?:\d+\.)?(\d+))?/).flatMap { range in
        let first = Int(range.2) ?? 0
        return (first...max(first, range.3.flatMap { Int($0) } ?? first))
          .map { Citation(page: page, number: "\(range.1)\($0)") }
      }
    }
  }

  /// The texts of all files that may cite a page, by path, and the names of all pages of the project.
  static func texts() throws -> (texts: [String: String], pages: Set<String>) {
    var texts: [String: String] = [:]
    var pages = Set(try FileManager.default.contentsOfDirectory(atPath: Project.root.path))
    for folder in ["Sources", "Tests", "tools", "bench", "Plans"] {
      let url = Project.root.appendingPathComponent(folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: url.path)
      where !path.contains(".build/") {
        pages.insert(URL(fileURLWithPath: path).lastPathComponent)
        let text = try? String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
        if let text, text.contains(".md") { texts["\(folder)/\(path)"] = text }
      }
    }
    return (texts, pages)
  }
}

struct FormatCitationTests {
  @Test func `a citation leads to a statement or a section, and one in Swift names it`() throws {
    let numbers = try FormatPages.numbers()
    #expect(!numbers.isEmpty)
    for (path, text) in try FormatPages.texts().texts where text.contains("formats/") {
      for citation in FormatPages.citations(in: text) {
        let page = numbers[citation.page]
        let isFound = citation.number.map { page?.contains($0) == true }
        #expect(isFound ?? (page != nil && !path.hasSuffix(".swift")), "\(path): \(citation)")
      }
    }
  }

  @Test func `only pages of the project are named`() throws {
    let (texts, pages) = try FormatPages.texts()
    let others: Set<Substring> = ["xxhash_spec.md"]
    for (path, text) in texts {
      let named = Set(text.matches(of: /([A-Za-z0-9_-]+\.md)\b/).map(\.1)).subtracting(others)
      #expect(named.filter { !pages.contains(String($0)) } == [], "\(path)")
    }
  }
}

/// The models under Plans/models have the steps of the program, by name.
struct ModelStepTests {
  /// The names of steps in the models.
  private static func modelled() throws -> Set<String> {
    let step = /\b(?:step|call|also|appended)\(([a-z][a-z-]+)[,)]/
    var found: Set<String> = []
    for text in try Project.files(under: "Plans/models", endingWith: ".pml").values {
      for line in text.split(separator: "\n") where !line.hasPrefix("#define") {
        found.formUnion(line.matches(of: step).map { String($0.1) })
      }
    }
    return found
  }

  /// The names of ``DurableStep``.
  private static func named() throws -> Set<String> {
    let path = "BulkExecute/Files/DurableStep.swift"
    let source = try #require(try Project.sources()[path])
    let name = /case ([a-zA-Z]+)(?: = "([a-z-]+)")?/
    return Set(source.matches(of: name).map { String($0.2 ?? $0.1) })
  }

  @Test func `every step of the program is one of a model, and the other way round`() throws {
    let (modelled, named) = (try Self.modelled(), try Self.named())
    #expect(!named.isEmpty)
    #expect(modelled.subtracting(named) == [])
    // A status that is watched changes nothing.
    #expect(named.subtracting(modelled) == ["watched"])
  }
}

struct PromiseTests {
  /// The numbers of all promises that suites carry as tags.
  private static func carried() throws -> Set<Int> {
    var numbers: Set<Int> = []
    for text in try Project.files(under: "Tests", endingWith: ".swift").values {
      for tags in text.matches(of: /\.tags\(([^)]*)\)/) {
        numbers.formUnion(tags.1.matches(of: /\.promise(\d+)/).compactMap { Int($0.1) })
      }
    }
    return numbers
  }

  @Test func `each has its number, and suites carry these numbers and no others`() throws {
    let promised = try Project.text("SECURITY.md").matches(of: /(?m)^(\d+)\.\s/)
      .compactMap { Int($0.1) }
    #expect(promised == promised.indices.map { $0 + 1 })
    #expect(try Self.carried() == Set(promised))
  }
}

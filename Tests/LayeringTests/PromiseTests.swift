import Testing

@Suite("Promises of SECURITY.md")
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

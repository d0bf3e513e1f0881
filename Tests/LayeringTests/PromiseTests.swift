import Foundation
import Testing

@Suite("Promises of SECURITY.md")
struct PromiseTests {
  /// The numbers of all promises that suites carry as tags.
  private static func carried() throws -> Set<Int> {
    let folder = Project.root.appendingPathComponent("Tests")
    var numbers: Set<Int> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
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

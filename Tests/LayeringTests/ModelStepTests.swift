import Foundation
import Testing

/// The models under Plans/models have the steps of the program, by name.
@Suite("Steps of the models")
struct ModelStepTests {
  /// The names of steps in the models.
  private static func modelled() throws -> Set<String> {
    let folder = Project.root.appendingPathComponent("Plans/models")
    let step = /\b(?:step|call|also|appended)\(([a-z][a-z-]+)[,)]/
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".pml") }
      .reduce(into: []) { found, name in
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#define") {
          found.formUnion(line.matches(of: step).map { String($0.1) })
        }
      }
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
    #expect(named.count == 48)
    #expect(modelled.subtracting(named) == [])
    // A status that is watched changes nothing.
    #expect(named.subtracting(modelled) == ["watched"])
  }
}

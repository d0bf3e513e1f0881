import Testing

/// The models under Plans/models have the steps of the program, by name.
@Suite("Steps of the models")
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
    #expect(named.count == 48)
    #expect(modelled.subtracting(named) == [])
    // A status that is watched changes nothing.
    #expect(named.subtracting(modelled) == ["watched"])
  }
}

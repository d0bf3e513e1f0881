import Testing

/// A call reads as a sentence: what an argument means is said beside it.
@Suite("Signatures")
struct SignatureTests {
  @Test func `no function has more than three parameters without a label`() throws {
    var count = 0
    for (path, source) in try Project.sources().sorted(by: { $0.key < $1.key }) {
      let all = Signature.all(in: source)
      count += all.count
      for signature in all where signature.unlabelledCount > 3 {
        Issue.record("Sources/\(path): \(signature)")
      }
    }
    #expect(count > 4_000)
  }

  /// Parameters that belong together are one value with a name; those of a large value's initializer are left.
  @Test func `at most 25 functions have more than five parameters`() throws {
    let long = try Project.sources().flatMap { path, source in
      Signature.all(in: source).filter { $0.parameters.count > 5 }.map { "Sources/\(path): \($0)" }
    }
    #expect(long.count <= 25, "\(long.sorted().joined(separator: "\n"))")
  }

  @Test func `a boolean has a label that says what it means`() throws {
    for (path, source) in try Project.sources().sorted(by: { $0.key < $1.key }) {
      for signature in Signature.all(in: source) where signature.hidesBoolean {
        Issue.record("Sources/\(path): \(signature)")
      }
    }
  }

  @Test(arguments: [
    ("func draw(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {}", 4),
    (
      "  private static func draw<T: Shape>(\n    _ a: [T: Int],\n    to b: Int // _ x: Int,\n  ) -> Int {",
      1
    ),
    ("package init?(_ a: (Int, Int) -> Int = { $0 + $1 }, _ b: Int) {}", 2),
    ("@inline(__always) func draw(a: Int) {}", 0),
    ("  // func draw(_ a: Int)\n  func none() {}", 0),
  ])
  func `parameters without a label are counted`(source: String, count: Int) throws {
    let found = Signature.all(in: source)
    #expect(found.map(\.unlabelledCount) == [count])
  }

  @Test(arguments: [
    ("func draw(_ isOpen: Bool)", true), ("func draw(_ isOpen: Bool? = nil)", true),
    ("func draw(_ isOpen: inout Bool)", true), ("func draw(isOpen: Bool)", false),
    ("func draw(_ isOpen: (Int) -> Bool)", false), ("func draw(_ open: [Bool])", false),
    ("func boolean(_ value: Bool)", false),
  ])
  func `a boolean without a label is found`(source: String, isFound: Bool) {
    #expect(Signature.all(in: source).map(\.hidesBoolean) == [isFound])
  }
}

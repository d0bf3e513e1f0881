import BulkTestSupport
import Testing

/// Tables and rows that random bytes describe, written as pages and by SQL with the same outcome.
///
/// `tools/fuzz` describes them by bytes that reach new code.
struct DrawnPagesTests {
  private let folder = TemporaryDirectory()

  /// Between 64 and 2,048 random bytes.
  private func bytes(_ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<(64 << (seed % 6))).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test(arguments: RandomSeeds.first(64))
  func `tables written as pages are those that SQLite writes`(seed: UInt64) throws {
    try WrittenTables(bytes(seed), in: folder.url.path).run()
  }

  @Test(arguments: RandomSeeds.first(64))
  func `rows copied as records are those that SQLite copies`(seed: UInt64) throws {
    try CopiedTable(bytes(seed), in: folder.url.path).run()
  }
}

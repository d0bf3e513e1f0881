import BulkTestSupport
import Foundation
import Testing

/// The targets of `tools/fuzz` read the inputs that they begin with: their seeds, and those of Tests/Corpus.
///
/// A target that finds a fault ends the process.
@Suite("Targets of the fuzzers", .serialized) struct FuzzTargetTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus").path

  private func files(_ path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { path + "/" + $0 }
  }

  @Test func `all targets read their seeds and the corpus`() throws {
    let seeds = folder.path("seeds")
    try Seeds.write(to: seeds, models: ["\(Self.corpus)/mapped.xml"])
    for target in FuzzTarget.allCases {
      let work = folder.path(target.rawValue)
      try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
      let inputs = files(seeds + "/" + target.rawValue)
      #expect(!inputs.isEmpty, "\(target)")
      for input in inputs + files(Self.corpus + "/" + target.rawValue) {
        target.run(try Files.read(input), in: work)
      }
    }
  }
}

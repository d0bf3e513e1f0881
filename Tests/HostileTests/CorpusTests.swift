import BulkTestSupport
import Testing

/// The targets of `tools/fuzz` read the inputs that they begin with: their seeds, and those of Tests/Corpus, which reached
/// different code.
///
/// A target that finds a fault ends the process.
@Suite("Inputs of the fuzzers", .serialized) struct CorpusTests {
  private let folder = TemporaryDirectory()

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
      let inputs = files(seeds + "/" + target.rawValue)
      #expect(!inputs.isEmpty, "\(target)")
      let work = try folder.folder(target.rawValue)
      for input in inputs + files(Self.corpus + "/" + target.rawValue) {
        target.run(try Files.read(input), in: work)
      }
    }
  }

  /// The first inputs that the fuzzers were given are sound mappings of a model to itself.
  @Test(arguments: [
    ("mapping/24", "m.json"), ("xcmapping/00", "xcmapping.xml"), ("cdm/00", "m.cdm"),
  ])
  func `a sound mapping among the inputs is read`(input: String, name: String) throws {
    try Files.write(Files.read("\(Self.corpus)/\(input)"), to: folder.path(name))
    let models = ModelPair(from: Seeds.model, to: Seeds.model)
    let mapping = try MappingFile.read(folder.path(name)).mappingModel(between: models).model
    #expect(!mapping.entityMappings.isEmpty)
  }

  /// The first ones are whole, so that the fuzzer gets behind the format and the digest.
  @Test(arguments: ["00", "02", "05"]) func `a sound plan among the inputs is read`(
    name: String
  ) throws {
    #expect(try MigrationPlan(contentsOf: "\(Self.corpus)/plan/\(name)").rows >= 0)
  }

  /// A digest can be made for any text, so it proves nothing.
  @Test(
    arguments: [
      { $0.passes[0].rows = $1 }, { $0.passes[0].entities[0].rowsLeftOut = $1 },
      { $0.steps[0].entities?[0].rows = $1 }, { $0.source.bytes = $1 },
      { $0.source.externalFiles?.count = $1 }, { $0.source.externalFiles?.bytes = $1 },
      { $0.losses[0].count = $1 },
    ] as [@Sendable (inout MigrationPlan, Int64) -> Void],
    [Int64.max, .min, -1]
  )
  func `a plan that promises impossible rows is refused`(
    change: @Sendable (inout MigrationPlan, Int64) -> Void,
    rows: Int64
  ) throws {
    try expectRefusal("it promises rows") { change(&$0, rows) }
  }

  @Test(
    arguments: [
      { $0.losses[0].count = 0 }, { $0.passes[0].estimatedSeconds = 1e300 },
      { $0.passes[0].estimatedSeconds = -1 },
    ] as [@Sendable (inout MigrationPlan) -> Void]
  )
  func `a plan of losses or times that no migration has is refused`(
    change: @Sendable (inout MigrationPlan) -> Void
  ) throws {
    try expectRefusal("it", change)
  }

  private func expectRefusal(_ reason: String, _ change: (inout MigrationPlan) -> Void) throws {
    var plan = try SmallStore().plan()
    plan.losses = [MigrationPlan.Loss(.values, "Note.title", 1, by: .removed, reason: "r")]
    plan.steps[0].entities = plan.passes[0].entities
    plan.source.externalFiles = try MigrationPlan.ExternalFiles(of: "none", missing: 1, unless: [])
    change(&plan)
    plan.fingerprint = plan.computedFingerprint
    let path = folder.path("plan.json")
    try plan.encoded().write(to: URL(fileURLWithPath: path))
    let text = failure { try MigrationPlan(contentsOf: path) }
    #expect(text.hasPrefix("\(path) is not a plan that can be run: \(reason)"))
  }
}

import BulkTestSupport
import Testing

/// The same mapping as JSON, as an `.xcmappingmodel` and, where there is one, as a `.cdm`.
@Suite(
  "Formats of mapping models",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct MappingFormatTests {
  @Test func `there are 39 mapping models`() { #expect(RealMapping.all.count == 39) }

  @Test(arguments: RandomSeeds.some(of: RealMapping.all, every: 7))
  func `JSON, Xcode's file and both forms written for Xcode make the same bytes`(
    mapping: RealMapping
  ) throws {
    let (source, destination) = try mapping.models()
    let models = ModelPair(from: source, to: destination)
    let model = try mapping.file().mappingModel(between: models).model
    let written = try mapping.file().mappingModel(between: models, isForCoreData: true).model
    let migration = try RealMigration(synthetic: source, to: try destination.lenient())
    let policies = PolicyRegistry(
      Dictionary(uniqueKeysWithValues: mapping.policies.map { ($0, StandInPolicy()) })
    )
    let first = migration.result(by: SharedData.path(mapping.path), policies: policies)
    let lenient = ModelPair(from: source, to: try destination.lenient())
    let others = [
      try migration.write(Array(model.json.utf8)),
      try migration.write(written.xcodeFile(between: lenient, at: nil), to: "mapping.cdm"),
      try migration.write(written.xcodeFile(between: lenient, at: ("a", "b")), to: "xcmapping.xml"),
    ]
    for other in others {
      let result = migration.result(by: other, policies: policies)
      guard let failure = Self.failures[mapping.path] else {
        #expect(result == first)
        #expect(result.failure == nil)
        continue
      }
      #expect(first.failure?.hasSuffix(failure) == true)
      #expect(result.failure?.hasSuffix(failure) == true)
    }
  }

  /// An entity mapping without a policy that nevertheless asks one: a fault of the sample.
  private static let failures = [
    "mappings/005/Mapping Model 3 to 4.xcmappingmodel":
      ": entity mapping GradeTypeToGradeType, attribute weigth: updateWeight: is sent to a policy, but "
      + "the mapping has none"
  ]

  @Test(arguments: RealMapping.all.filter(\.policies.isEmpty))
  func `a plan that needs no policy is made without any`(mapping: RealMapping) throws {
    let (source, destination) = try mapping.models()
    let migration = try RealMigration(synthetic: source, to: destination)
    let plan = try migration.plan(by: SharedData.path(mapping.path), knowsPolicy: false)
    #expect(plan.passes.flatMap(\.entities).compactMap(\.policy) == [])
  }

  @Test(arguments: RealMapping.all.filter { !$0.policies.isEmpty && failures[$0.path] == nil })
  func `a plan without policies names those that are missing`(mapping: RealMapping) throws {
    let (source, destination) = try mapping.models()
    let migration = try RealMigration(synthetic: source, to: destination)
    let error = #expect(throws: PlanError.self) {
      try migration.plan(by: SharedData.path(mapping.path), knowsPolicy: false)
    }
    let text = try #require(error?.description)
    let named = text.matches(of: /needs policy (\S+), which this program does not have/)
      .map { String($0.1) }
    #expect(Set(named) == mapping.policies)
  }

  /// The one compiled mapping model.
  @Test func `JSON, Xcode's file and the compiled file make the same bytes`() throws {
    let package = "core-data-plus/SampleModel.xcdatamodeld/SampleModel"
    let source = try ManagedObjectModel(contentsOf: SharedData.path("\(package)2.xcdatamodel"))
    let destination = try ManagedObjectModel(contentsOf: SharedData.path("\(package)3.xcdatamodel"))
    let migration = try RealMigration(
      store: "core-data-plus/SampleModel_V2.sqlite",
      source,
      to: destination
    )
    let xcode = SharedData.path("core-data-plus/V2toV3.xcmappingmodel")
    let models = ModelPair(from: source, to: destination)
    let model = try MappingFile.read(xcode).mappingModel(between: models).model
    let policies = PolicyRegistry(["REPLACE_AT_RUNTIME.V2to3MakerPolicy": MakerPolicy()])
    let first = migration.result(by: xcode, policies: policies)
    #expect(first.failure == nil)
    #expect(
      migration.result(by: try migration.write(Array(model.json.utf8)), policies: policies) == first
    )
    let compiled = SharedData.path("core-data-plus/V2toV3.cdm")
    #expect(migration.result(by: compiled, policies: policies) == first)
  }
}

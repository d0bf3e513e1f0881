import BulkTestSupport
import NotesPolicySources
import Testing

/// `Plans/uncloudnotes` with versions that are skipped.
struct UnCloudNotesRouteTests {
  private static let package = "UnCloudNotesDataModel.xcdatamodeld"
  private static let store = "UnCloudNotesDataModel.sqlite"
  private let example: Example

  init() throws { example = try Example("uncloudnotes") }

  private func request() -> PlanRequest {
    var request = PlanRequest()
    request.source = example.path(Self.store)
    request.destination = example.path("now.sqlite")
    request.models = [example.path(Self.package)]
    request.mappings = [example.path("")]
    return request
  }

  private func write(_ version: Int) throws {
    let name = version == 1 ? "" : " v\(version)"
    let model = try example.model("\(Self.package)/UnCloudNotesDataModel\(name).xcdatamodel")
    switch version {
    case 1: try example.write(Notes.version1(model), as: Self.store)
    case 2: try example.write(Notes.version2(model), as: Self.store)
    default: try example.write(TestStore(model), as: Self.store)
    }
  }

  private func steps(_ plan: MigrationPlan) -> [String] {
    plan.steps.map { step in
      [step.source.path, step.destination.path, step.mapping.path].compactMap(\.self)
        .map {
          URL(fileURLWithPath: $0).lastPathComponent.replacing("UnCloudNotesDataModel", with: "U")
        }
        .joined(separator: ", ")
    }
  }

  private static let all = [
    "U.xcdatamodel, U v2.xcdatamodel", "U v2.xcdatamodel, U v3.xcdatamodel, v2-to-v3.json",
    "U v3.xcdatamodel, U v4.xcdatamodel, v3-to-v4.json",
  ]

  @Test(arguments: [1, 2, 3])
  func `a store of any version has a way to version 4`(version: Int) throws {
    try write(version)
    #expect(try steps(Planner.plan(request())) == Array(Self.all.dropFirst(version - 1)))
  }

  @Test func `version 4 has nothing to do`() throws {
    try write(4)
    #expect(try Planner.plan(request()).isUpToDate)
  }

  @Test func `without mappings images are lost, and the plan says so`() throws {
    try write(2)
    var request = request()
    request.mappings = []
    let plan = try Planner.plan(request)
    #expect(steps(plan) == ["U v2.xcdatamodel, U v4.xcdatamodel"])
    #expect(plan.passes.flatMap(\.entities).flatMap(\.details).contains("attribute image removed"))
  }

  @Test func `the steps can be carried out one by one`() throws {
    try write(1)
    let plan = try Planner.plan(request())
    let policies: [String: any EntityMigrationPolicy] = [
      "UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4": ImageAttachmentPolicy()
    ]
    let stores = try RouteRun(plan: plan, policies: policies).stores()
    #expect(stores.count == 3)
    let last = try #require(stores.last)
    #expect(try last.integrity() == [["ok"]])
    #expect(try last.rows("SELECT count(*) FROM ZNOTE") == [[12]])
    #expect(
      try last.metadata().versionHashes
        == example.model(
          "\(Self.package)/UnCloudNotesDataModel v4.xcdatamodel"
        ).entityVersionHashesByName
    )
  }
}

import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// The program dies while it makes what a store computes from its rows: R-trees and derived attributes
/// (formats/store.md 7.11, 7.12, 9.1).
@Suite(
  "The durable steps of R-trees and derived attributes",
  .tags(.promise12),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ComputedStepTests {
  enum Computed: CaseIterable {
    /// The R-tree of a fetch index, and that of a location, the older form.
    case fetchIndex, location
    case derived

    /// The tables and columns that are computed.
    var query: String {
      switch self {
      case .fetchIndex: "SELECT * FROM Z_Place_byPlace ORDER BY Z_PK"
      case .location: "SELECT * FROM Z_RT_Place_location ORDER BY Z_PK"
      case .derived:
        "SELECT p.Z_PK, p.ZFOLDED, f.ZCOUNT FROM ZPLACE p JOIN ZFOLDER f ON f.Z_PK = p.ZFOLDER ORDER BY 1"
      }
    }

    var rows: [[StoredValue]] {
      switch self {
      case .fetchIndex, .location: [[1, 1.0, 1.0, -1.5, -1.5], [2, 2.0, 2.0, -1.5, -1.5]]
      case .derived: [[1, "OSLO 1", 2], [2, "OSLO 2", 2]]
      }
    }
  }

  private let program: Program
  private var source: StoreFile { StoreFile(program.directory.path("Source.sqlite")) }

  init() throws { program = try Program() }

  private static func model(
    _ computed: Computed,
    _ more: AttributeDescription...
  ) throws -> ManagedObjectModel {
    let names = ["latitude", "longitude"]
    var place = EntityDescription(
      "Place",
      [.optional("name")] + names.map { .optional($0, .double) } + more,
      [.toOne("folder", "Folder", inverse: "places")]
    )
    var folder = EntityDescription("Folder", [], [.toMany("places", "Place", inverse: "folder")])
    switch computed {
    case .fetchIndex:
      place.indexes = [
        FetchIndexDescription("byPlace", elements: names.map { .init(.property($0), kind: .rTree) })
      ]
    case .location:
      var location = AttributeDescription("location", .undefined)
      (location.isTransient, location.isOptional) = (true, true)
      location.locationComponents = names
      place.attributes.append(location)
    case .derived:
      place.attributes.append(
        .derived("folded", .string, try ValueExpression(format: "uppercase:(name)"))
      )
      folder.attributes.append(
        .derived("count", .integer64, try ValueExpression(format: "places.@count"))
      )
    }
    return try .of(place, folder)
  }

  private static let mapping = """
    { "bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
      { "source": "Folder", "destination": "Folder" },
      { "source": "Place", "destination": "Place", "attributes": {
          "name": "$source.name", "latitude": "$source.latitude", "longitude": "$source.longitude", "weight": "3" },
        "relationships": { "folder": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"FolderToFolder\\", $source.folder)" } } ] }
    """

  /// Writes two places in a folder, a model that has an attribute more, and a mapping model.
  private func prepare(_ computed: Computed) throws {
    var store = TestStore(try Self.model(computed))
    store.objects = [TestObject("Folder", 1)]
    store.objects += (1...2).map {
      TestObject(
        "Place",
        $0,
        [
          "name": .string("Oslo \($0)"), "latitude": .double(Double($0)),
          "longitude": .double(-1.5),
        ],
        links: ["folder": [1]]
      )
    }
    _ = try store.write(to: source.path)
    try TestStore.write(store.model, to: program.directory.path("A.mom"))
    let weight = AttributeDescription.required("weight", .integer16, default: 3)
    try TestStore.write(Self.model(computed, weight), to: program.directory.path("B.mom"))
    try program.write(Self.mapping, to: "all.json")
  }

  private func run(_ words: [String], dyingAt failpoint: String? = nil) throws -> ProcessRun {
    var environment = ["BULKMIGRATE_BATCH_ROWS": "1"]
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(words, environment: environment)
  }

  private func steps(_ run: ProcessRun) throws -> Int {
    try #require(run.status == 0, "\(run.errors)")
    let count = run.errors.split(separator: "\n").last.flatMap {
      Int($0.dropFirst("steps: ".count))
    }
    return try #require(count, "\(run.errors)")
  }

  /// Behind the last steps the triggers are there, whose functions and modules are Core Data's.
  @Test(
    arguments: Computed.allCases,
    [["--strategy", "rebuild"], ["--strategy", "copy"], ["--mapping", "all.json"]]
  )
  func `after a kill behind a durable step the same bytes come out`(
    computed: Computed,
    way: [String]
  ) throws {
    try prepare(computed)
    let plan = try run(
      [
        "plan", "-q", "--source", "Source.sqlite", "--source-model", "A.mom", "--destination",
        "Big.sqlite", "--destination-model", "B.mom",
      ] + way
    )
    try #require(plan.status == 0, "\(plan.errors)")
    let words = ["run", "-q", "--resume-if-started"]
    let steps = try steps(run(words, dyingAt: "count"))
    let made = StoreFile(program.directory.path("Big.sqlite"))
    #expect(try made.rows(computed.query) == computed.rows)
    let undisturbed = try taken()
    let first = stride(from: 2, through: steps - 12, by: max(1, steps / 6))
    for step in Array(first) + Array(steps - 12...steps) {
      #expect(try run(words, dyingAt: "step:\(step)").status == -9)
      let resumed = try run(words)
      #expect(resumed.status == 0, "step \(step): \(resumed.errors)")
      #expect(try taken() == undisturbed, "step \(step)")
    }
  }

  /// The bytes of the destination, which is removed.
  private func taken() throws -> Data {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: program.directory.path("Big.sqlite")))
    for name in ["Big.sqlite", "Big.sqlite.bulkmigrate"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
    return bytes
  }

  #if os(Linux)
  @Test(arguments: Computed.allCases)
  func `so they do where the store itself is changed`(computed: Computed) throws {
    try prepare(computed)
    let words = [
      "migrate", "-q", "Source.sqlite", "--destination-model", "B.mom", "--in-place",
    ]
    let before = try Files.read(source.path)
    let steps = try steps(run(words, dyingAt: "count"))
    #expect(try source.rows(computed.query) == computed.rows)
    let undisturbed = try Files.read(source.path)
    for failpoint in ["altered:0"] + (1...max(1, steps)).map({ "step:\($0)" }) {
      try Files.write(before, to: source.path)
      #expect(try run(words, dyingAt: failpoint).status == -9, "\(failpoint)")
      let again = try run(words)
      #expect(again.status == 0, "\(failpoint): \(again.errors)")
      #expect(try Files.read(source.path) == undisturbed, "\(failpoint)")
    }
  }
  #endif
}

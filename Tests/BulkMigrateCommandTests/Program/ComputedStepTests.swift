import BulkMapping
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// The program dies while it makes what a store computes from its rows: R-trees and derived attributes
/// (formats/store.md 7.11, 7.12, 9.1).
@Suite("The durable steps of R-trees and derived attributes", .tags(.promise12), .program)
struct ComputedStepTests {
  /// What is computed, and its rows: the R-tree of a fetch index, that of a location, the older form, and
  /// derived attributes.
  private static let computed: [(query: String, rows: [[StoredValue]])] = [
    (
      "SELECT * FROM Z_Place_byPlace ORDER BY Z_PK",
      [[1, 1.0, 1.0, -1.5, -1.5], [2, 2.0, 2.0, -1.5, -1.5]]
    ),
    (
      "SELECT * FROM Z_RT_Place_location ORDER BY Z_PK",
      [[1, 1.0, 1.0, -1.5, -1.5], [2, 2.0, 2.0, -1.5, -1.5]]
    ),
    (
      "SELECT p.Z_PK, p.ZFOLDED, f.ZCOUNT FROM ZPLACE p JOIN ZFOLDER f ON f.Z_PK = p.ZFOLDER ORDER BY 1",
      [[1, "OSLO 1", 2], [2, "OSLO 2", 2]]
    ),
  ]

  private func expectComputed(_ store: StoreFile) throws {
    for (query, rows) in Self.computed { #expect(try store.rows(query) == rows) }
  }

  private static func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
    let names = ["latitude", "longitude"]
    var location = AttributeDescription("location", .undefined)
    (location.isTransient, location.isOptional) = (true, true)
    location.locationComponents = names
    let folded = try ValueExpression(format: "uppercase:(name)")
    var place = EntityDescription(
      "Place",
      [.optional("name"), location, .derived("folded", .string, folded)]
        + names.map { .optional($0, .double) } + more,
      [.toOne("folder", "Folder.places")]
    )
    place.indexes = [
      FetchIndexDescription("byPlace", elements: names.map { .init(.property($0), kind: .rTree) })
    ]
    let count = try ValueExpression(format: "places.@count")
    return try .of(
      place,
      .init("Folder", [.derived("count", .integer64, count)], [.toMany("places", "Place.folder")])
    )
  }

  /// A migration of two places in a folder to a model that has an attribute more.
  private func migration(_ way: [String]) throws -> Interrupted {
    var store = TestStore(try Self.model())
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
    let mappings: [EntityMapping] = try [
      .of("Folder", "Folder"),
      .of(
        "Place",
        "Place",
        [
          "name": "$source.name", "latitude": "$source.latitude",
          "longitude": "$source.longitude", "weight": "3",
        ],
        ["folder": instances("FolderToFolder", "$source.folder")]
      ),
    ]
    let weight = AttributeDescription.required("weight", .integer16, default: 3)
    return try Interrupted(store.model, Self.model(weight), way, batchRows: 1) {
      _ = try store.write(to: $0.directory.path("Source.sqlite"))
      try $0.write(MappingModel(entityMappings: mappings).json, to: "places.json")
    }
  }

  /// Behind the last steps the triggers are there, whose functions and modules are Core Data's.
  @Test(
    arguments: [["--strategy", "rebuild"], ["--strategy", "copy"], ["--mapping", "places.json"]]
  )
  func `after a kill behind a durable step the same bytes come out`(way: [String]) throws {
    let migration = try migration(way)
    let steps = try migration.steps("run")
    try expectComputed(StoreFile(migration.program.directory.path("Big.sqlite")))
    #expect(try migration.migrated() == migration.undisturbed)
    let first = stride(from: 2, through: steps - 12, by: max(1, steps / 6))
    for step in Array(first) + Array(steps - 12...steps) {
      #expect(try migration.isKilled(at: "step:\(step)"))
      #expect(try migration.outcome("step \(step)") == nil)
    }
  }

  #if os(Linux)
  @Test func `so they do where the store itself is changed`() throws {
    let migration = try migration(["--strategy", "copy"])
    let source = StoreFile(migration.program.directory.path("Source.sqlite"))
    let words = ["migrate", "-q", "Source.sqlite", "--destination-model", "B.mom", "--no-copy"]
    let before = try Files.read(source.path)
    let steps = try migration.steps(words)
    try expectComputed(source)
    let undisturbed = try Files.read(source.path)
    for failpoint in ["altered:0"] + (1...max(1, steps)).map({ "step:\($0)" }) {
      try Files.write(before, to: source.path)
      #expect(try migration(words, failpoint: failpoint).status == -9, "\(failpoint)")
      let again = try migration(words)
      #expect(again.status == 0, "\(failpoint): \(again.errors)")
      #expect(try Files.read(source.path) == undisturbed, "\(failpoint)")
    }
  }
  #endif
}

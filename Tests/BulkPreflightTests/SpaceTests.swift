import BulkTestSupport
import Testing

@testable import BulkMigrate

struct SpaceTests {
  @Test(
    arguments: [
      (1_230, []), (1_229, [.mayStop]), (700, [.mayStop]), (699, [.stops]), (nil, []),
    ] as [(Int64?, [PreflightFinding.Outcome])]
  )
  func `a run begins with half of what the destination takes plus the files`(
    free: Int64?,
    outcomes: [PreflightFinding.Outcome]
  ) {
    let space = PreflightReport.Space(
      folder: "/stores",
      freeBytes: free,
      destinationBytes: 1_000,
      externalBytes: 200,
      temporaryBytes: 30
    )
    #expect(SpaceEstimate.findings(space).map(\.outcome) == outcomes)
  }

  private static func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(
      .init(
        "Note",
        [.optional("title"), .optional("old")] + more,
        [.toOne("folder", "Folder.notes")]
      ),
      .init("Folder", [], [.toMany("notes", "Note.folder")])
    )
  }

  /// No notes, of which only the empty tables count, or many with a new text that is longer than all else in them.
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy], [0, 3_000] as [Int64])
  func `it is told to within three tenths`(strategy: StoreStrategy.Kind, notes: Int64) throws {
    var store = TestStore(try Self.model())
    store.objects = [TestObject("Folder", 1)]
    store.objects += (0..<notes).map {
      TestObject("Note", $0 + 1, ["title": .string("note \($0)")], links: ["folder": [1]])
    }
    let text = AttributeValue.string(String(repeating: "a text ", count: 30))
    var request = PlanRequest()
    request.strategy = strategy
    let planned = try Planned(
      store,
      to: Self.model(.required("text", default: text)),
      request
    )
    try Self.compare(planned.plan, in: planned.directory)
  }

  /// Half of the notes are left out.
  @Test func `reject files take space`() throws {
    var stars = AttributeDescription.optional("stars", .integer64)
    stars.validationPredicates = [try ValuePredicate(format: "SELF <= 2000")]
    let planned = try Planned(
      Self.texts(),
      to: .of(EntityDescription("Note", [stars, .optional("text")])),
      by: [.of("Note", "Note", ["stars": "$source.stars", "text": "$source.text"])]
    )
    let space = try #require(try planned.report().space)
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    let outcome = try migration.run()
    #expect(outcome.rejected == 2000)
    let files = try Files.contents(of: #require(outcome.rejectFolderPath))
    let bytes = Double(files.values.map(\.count).reduce(0, +))
    #expect(Double(space.temporaryBytes) > bytes / 1.3)
    #expect(Double(space.temporaryBytes) < bytes * 1.6)
  }

  @Test func `stores between legs are told to within three tenths`() throws {
    let directory = TemporaryDirectory()
    var store = try Self.texts()
    var request = PlanRequest()
    request.source = try store.write(to: directory.path("source.sqlite")).path
    request.destination = directory.path("destination.sqlite")
    for version in 0...3 {
      let model = directory.path("v\(version).mom")
      try TestStore.write(store.model, to: model)
      request.models.append(model)
      let added = AttributeDescription.optional("more\(version)")
      store = try TestStore(.of(EntityDescription("Note", Self.attributes + [added])))
      guard version > 0 else { continue }
      let mapping = directory.path("to-\(version).json")
      try """
      { "bulkmigrate": "mapping/1", "source": { "model": "v\(version - 1).mom" },
        "destination": { "model": "v\(version).mom" },
        "entityMappings": [ { "source": "Note", "destination": "Note", "attributes": {
          "stars": "$source.stars", "text": "$source.text" } } ] }
      """.write(toFile: mapping, atomically: true, encoding: .utf8)
      request.mappings.append(mapping)
    }
    request.version = "v3"
    request.fuses = false
    let plan = try Planner.plan(request)
    #expect(plan.legs.count == 3)
    try Self.compare(plan, in: directory)
  }

  private static let attributes: [AttributeDescription] = [
    .optional("stars", .integer64), .optional("text"),
  ]

  /// Notes with a hundred bytes of text.
  private static func texts() throws -> TestStore {
    var store = TestStore(try .of(EntityDescription("Note", attributes)))
    let text = AttributeValue.string(String(repeating: "x", count: 100))
    store.objects = (1...4_000).map {
      TestObject("Note", $0, ["stars": .integer($0), "text": text])
    }
    return store
  }

  /// Compares the space of a preflight with what a run takes.
  private static func compare(
    _ plan: MigrationPlan,
    in directory: TemporaryDirectory
  ) throws {
    var preflight = Preflight(plan)
    preflight.memoryLimit = .gibibytes(64)
    let space = try #require(try preflight.run().space)
    var migration = Migration(inTestProcess: plan)
    migration.threads = 1
    var peak: Int64 = 0
    migration.stopRequest = {
      peak = max(peak, bytes(in: directory.path))
      return nil
    }
    _ = try migration.run()
    peak = max(peak, bytes(in: directory.path))
    let share = Double(space.neededBytes) / Double(peak)
    #expect(share > 1 / 1.3 && share < 1.3, "\(space), measured \(peak)")
  }

  /// The bytes of the destination and of all that lies beside it for its sake.
  private static func bytes(in folder: String) -> Int64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("destination.sqlite") }.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (attributes?[.size] as? Int64 ?? 0)
    }
  }
}

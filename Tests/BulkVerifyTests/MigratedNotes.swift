import BulkTestSupport
import BulkMigrate

/// Notes with tags, a folder and an image, migrated by a mapping model that filters and computes.
struct MigratedNotes {
  let directory = TemporaryDirectory()
  let plan: MigrationPlan
  let destination: StoreFile

  static let image = "8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D"

  /// Notes 1 to 40, of which those with an odd key have stars and so are migrated.
  ///
  /// - Parameters:
  ///   - inferred: Whether there is no mapping model.
  ///   - passes: The passes that a mapping file without mappings asks for, as JSON; `nil` without such a file.
  ///   - expectations: What its file expects, as JSON objects.
  ///   - sql: A statement that changes the source before it is planned for.
  ///   - tagName: The expression of the names of tags.
  /// - Throws: Whatever keeps it from being made.
  init(
    inferred: Bool = false,
    passes: String? = nil,
    expecting expectations: [String] = [],
    sql: String? = nil,
    tagName: String = "uppercase($source.name)"
  ) throws {
    let source = try Self.model()
    var store = TestStore(source, TestObject("Folder", 1), TestObject("Folder", 2))
    store.objects += (1...5).map { TestObject("Tag", $0, ["name": .string("tag \($0)")]) }
    store.objects += (1...40).map { key in
      TestObject(
        "Note",
        key,
        [
          "title": .string("note \(key)"), "stars": key % 2 == 1 ? .integer(key) : .null,
          "data": .binary(Array(repeating: UInt8(key), count: key == 7 ? 300_000 : 3)),
        ],
        links: ["folder": [key % 4 < 2 ? 1 : 2], "tags": [1, 1 + key % 4 + 1]]
      )
    }
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(Self.image)' || x'00' AS BLOB) WHERE Z_PK = 3"
    ]
    if let sql { store.sql.append(sql) }
    _ = try store.write(to: directory.path("source.sqlite"))
    let folder = try directory.folder(".source_SUPPORT/_EXTERNAL_DATA")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder)/\(Self.image)"))
    try TestStore.write(source, to: directory.path("source.mom"))
    try TestStore.write(try Self.model(rank: true), to: directory.path("destination.mom"))
    var request = PlanRequest(in: directory)
    if !inferred {
      let expected = "\"expect\": [\(expectations.joined(separator: ", "))],"
      try MappingModel(entityMappings: Self.mappings(tagName)).json
        .replacing("{", with: "{ \(expectations.isEmpty ? "" : expected)", maxReplacements: 1)
        .write(toFile: directory.path("all.json"), atomically: true, encoding: .utf8)
      request.mapping = directory.path("all.json")
    }
    if let passes {
      request.mapping = directory.path("passes.json")
      try #"{ "bulkmigrate": "mapping/1", "passes": \#(passes) }"#
        .write(toFile: directory.path("passes.json"), atomically: true, encoding: .utf8)
    }
    plan = try Planner.plan(request)
    _ = try Migration(inTestProcess: plan).run()
    destination = StoreFile(plan.destination.store, keeping: directory)
  }

  private static func model(rank: Bool = false) throws -> ManagedObjectModel {
    try .of(
      .init(
        "Note",
        [
          .optional("title"), .optional("stars", .integer64), .optional("data", .binaryData),
          .external("image"),
        ] + (rank ? [.optional("rank", .double)] : []),
        [.toOne("folder", "Folder.notes"), .toMany("tags", "Tag.notes", isOrdered: true)]
      ),
      .init("Folder", [], [.toMany("notes", "Note.folder")]),
      .init("Tag", [.optional("name")], [.toMany("notes", "Note.tags")])
    )
  }

  private static func mappings(_ tagName: String) throws -> [EntityMapping] {
    [
      try .of("Folder", "Folder"),
      try .of("Tag", "Tag", ["name": tagName]),
      try .of(
        "Note",
        "Note",
        where: "stars != nil AND title LIKE 'note*'",
        [
          "title": "$source.title", "stars": "$source.stars + 1", "rank": "$source.stars / 2.0",
          "data": "$source.data", "image": "$source.image",
        ],
        [
          "folder": instances("FolderToFolder", "$source.folder"),
          "tags": instances("TagToTag", "$source.tags"),
        ]
      ),
    ]
  }

  /// What a verification finds, a sentence each.
  func found(_ level: VerificationLevel) throws -> [String] { try report(level).sentences }

  /// The report of a verification.
  func report(_ level: VerificationLevel) throws -> VerificationReport {
    try verification(level).run()
  }

  /// Removes a destination that the test has broken, so that it is not taken for one that was made so.
  func removeBroken() throws { try FileManager.default.removeItem(atPath: destination.path) }

  /// A verification of the destination.
  func verification(_ level: VerificationLevel) -> Verification {
    Verification(inTestProcess: plan, level)
  }
}

extension Planned {
  /// The destination that a run makes.
  func run() throws -> StoreFile {
    _ = try Migration(inTestProcess: plan).run()
    return StoreFile(plan.destination.store, keeping: directory)
  }
}

extension Verification {
  /// A verification in the process of the tests, which holds more memory than a limit would allow for.
  init(inTestProcess plan: MigrationPlan, _ level: VerificationLevel = .full) {
    self.init(plan, .inTestProcess)
    self.level = level
  }
}

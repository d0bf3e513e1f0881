import BulkTestSupport
import Testing

/// How the losses are counted that only made objects show.
struct LossCountTests {
  /// 500 notes; every fifth has no title, every second an image, and every third is about a cat.
  private static func notes() throws -> TestStore {
    var store = TestStore(
      try .of(.init("Note", [.optional("title"), .optional("body"), .optional("image")]))
    )
    store.sql = [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBODY, ZIMAGE)
      SELECT i, 1, 1, iif(i % 5, 'title ' || i, NULL), iif(i % 3, 'dog', 'cat'), iif(i % 2, NULL, 'image') FROM n
      """,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 500",
    ]
    return store
  }

  private static let image = EntityDescription("Image", [.optional("data")])

  private static func planned(note: EntityMapping, image filter: String) throws -> Planned {
    try Planned(
      notes(),
      to: .of(image, .init("Note", [.required("title"), .optional("body")])),
      by: [note, .of("Note", "Image", where: filter, ["data": "$source.image"])]
    )
  }

  /// The losses of a run that leaves objects out, in ranges of 50 rows.
  private static func losses(
    _ planned: Planned,
    _ stage: (MigrationProgress) -> Void = { _ in },
    stop: () -> StopRequest? = { nil }
  ) throws -> [String] {
    try withoutActuallyEscaping(stage) { stage in
      try withoutActuallyEscaping(stop) { stop in
        var migration = Migration(inTestProcess: planned.plan)
        migration.rejects = RejectPolicy(.quarantine)
        migration.minimumRowsForCheckpoints = 0
        migration.batchRows = 50
        migration.report = stage
        migration.stopRequest = stop
        return try migration.run(.resumeOrBegin).losses.map { "\($0.owner) \($0.count)" }
      }
    }
  }

  private static let both = ["title": "$source.title", "body": "$source.body"]

  // The bodies of notes without a title are in the files of rejects, though images are made of the same notes.
  @Test(arguments: ["image != nil", "FUNCTION(image, \"length\") > 0"])
  func `values of objects that are left out are not lost`(filter: String) throws {
    let planned = try Self.planned(note: .of("Note", "Note", Self.both), image: filter)
    #expect(try Self.losses(planned) == [])
  }

  /// Its filter is evaluated.
  private static func cats() throws -> EntityMapping {
    try .of("Note", "Note", where: "body MATCHES \"c.*\"", both)
  }

  @Test
  func `an evaluated filter that takes a row reads its values, even if the object is left out`()
    throws
  {
    // Every third note is taken, and a fifth of these is left out. 167 others have an image, and 133 of them a title.
    let planned = try Self.planned(note: Self.cats(), image: "image != nil")
    #expect(
      try Self.losses(planned).filter { !$0.hasPrefix("Note 1") } == [
        "Note.body 167", "Note.title 133",
      ]
    )
  }

  @Test func `a run that is stopped after every transaction goes on where it was`() throws {
    let whole = try Self.losses(Self.planned(note: Self.cats(), image: "image != nil"))
    let planned = try Self.planned(note: Self.cats(), image: "image != nil")
    var (attempts, found) = (0, [String]?.none)
    while found == nil, attempts < 100 {
      attempts += 1
      do {
        found = try Self.losses(planned, stop: { StopRequest.atOnce.afterProgress })
      } catch MigrationError.cancelled {
        continue
      }
    }
    #expect(found == whole)
    // Ten ranges of notes are read for objects, and ten for losses.
    #expect(attempts > 20)
  }

  @Test func `the share of the work grows with the count`() throws {
    let planned = try Self.planned(note: Self.cats(), image: "image != nil")
    var shares: [Double] = []
    _ = try Self.losses(planned) { if $0.stage == .losses { shares.append($0.share ?? 0) } }
    #expect(shares.count == 10)
    #expect(Set(shares).count == 10 && shares == shares.sorted())
    // The last range is weighed by the keys that its scan has behind it.
    #expect(shares.last ?? 0 > 0.95)
  }

  @Test func `where the source shows which rows are taken, nothing is counted again`() throws {
    let planned = try Planned(
      Self.notes(),
      to: .of(Self.image, .init("Note", [.optional("title"), .optional("body")])),
      by: [
        .of("Note", "Note", where: "body == \"cat\"", Self.both),
        .of("Note", "Image", where: "image != nil", ["data": "$source.image"]),
      ]
    )
    var stages: Set<MigrationProgress.Stage> = []
    let losses = try planned.run { $0.report = { stages.insert($0.stage) } }.losses.map {
      "\($0.owner) \($0.count)"
    }
    // 167 notes with neither cat nor image are lost with what they have.
    #expect(losses.contains("Note.body 167") && losses.contains("Note.title 133"))
    #expect(!stages.contains(.losses))
  }

  @Test func `the refusal of a store that is made names the limit that publishes it`() throws {
    let planned = try Self.planned(note: Self.cats(), image: "image != nil")
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    migration.lossLimit = .count(0)
    let text = failure { try migration.run() }
    // 167 notes with neither cat nor image, and the values above.
    #expect(text.hasSuffix("with --max-loss 467"))
  }
}

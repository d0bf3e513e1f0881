import BulkTestSupport
import Testing

@Suite("Values in files beside a store", .tags(.promise8, .promise22))
struct ExternalBinaryDataTests {
  private static let present = "8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D"
  private static let missing = "00000000-7C9B-4A5E-8D11-6A6C9A1B2C3D"

  /// A row refers to a file by a byte 2, the file's name and a NUL (formats/store.md 11.11).
  private static func store() throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      .each("Note", [:], [:])
    )
    store.sql = [(1, present), (2, missing)].map { key, name in
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = \(key)"
    }
    return store
  }

  private static func destination() throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.external("image"), .optional("title")]))
  }

  private static func addFile(to planned: Planned) throws {
    let folder = try planned.directory.folder(".source_SUPPORT/_EXTERNAL_DATA")
    try Files.write([1, 2, 3], to: "\(folder)/\(present)")
  }

  // formats/store.md 11.12
  @Test func `files come with their store, and the rows still name them`() throws {
    let planned = try Planned(Self.store(), to: Self.destination())
    try Self.addFile(to: planned)
    try planned.run()
    let copy = planned.directory.path(".destination_SUPPORT/_EXTERNAL_DATA/\(Self.present)")
    #expect(try Files.read(copy) == [1, 2, 3])
    #expect(
      try planned.made
        .rows("SELECT hex(ZIMAGE) FROM ZNOTE WHERE Z_PK = 1")
        // 02, the name in ASCII, 00.
        == [["0238463446364332412D374339422D344135452D384431312D36413643394131423243334400"]]
    )
  }

  /// The store with one of its two files, planned for a model.
  private static func planned(
    to model: ManagedObjectModel? = nil,
    by mappings: [EntityMapping]? = nil,
    changing change: (TemporaryDirectory) throws -> Void = { _ in }
  ) throws -> Planned {
    var planned = try Planned(store(), to: model ?? destination(), by: mappings)
    try addFile(to: planned)
    try change(planned.directory)
    planned.plan = try planned.plan(allowing: [])
    return planned
  }

  @Test func `a missing file is told by its name, and its value is lost`() throws {
    let planned = try Self.planned()
    #expect(
      planned.plan.warnings == [
        "1 value of ZNOTE.ZIMAGE lies in a file that is not beside the store: \(Self.missing)"
      ]
    )
    #expect(
      planned.plan.lossLines == ["1 value of Note.image: the file is missing"]
    )
    let files = try #require(planned.plan.source.externalFiles)
    #expect([files.count, files.bytes, files.missing] == [1, 3, 1])
    let models = [planned.directory.path("source.mom")]
    guard case .store(let report) = try Inspection.inspect(planned.source.path, models: models)
    else {
      Issue.record("it is not a store")
      return
    }
    let inspected = try #require(report.externalFiles)
    #expect([inspected.count, inspected.bytes, inspected.missing] == [1, 3, 1])
    let text = failure(of: planned) { $0.lossLimit = .usual }
    #expect(text.hasPrefix("more is lost than --max-loss none allows; no destination was made"))
    // Where it is allowed, the reference stays.
    let outcome = try Migration(inTestProcess: planned.plan).run()
    #expect(outcome.losses.map(\.cause) == [.missingFile])
    let values = "SELECT Z_PK, hex(ZIMAGE) FROM ZNOTE"
    let made = planned.made
    #expect(try made.rows(values) == planned.source.rows(values))
  }

  @Test func `a removed attribute loses its values once`() throws {
    let planned = try Self.planned(to: .of(EntityDescription("Note", [.optional("title")])))
    #expect(planned.plan.losses.map(\.cause) == [.removed])
    #expect(planned.plan.losses.map(\.count) == [2])
  }

  @Test func `a required value whose file is missing breaks the rule`() throws {
    var image = AttributeDescription.external("image")
    image.isOptional = false
    let planned = try Self.planned(
      to: .of(EntityDescription("Note", [image])),
      by: [.of("Note", "Note", ["image": "$source.image"])]
    )
    #expect(
      planned.plan.lossLines == ["1 value of Note.image: the file is missing"]
    )
    let failure = failure(of: planned)
    #expect(failure.contains("Note.image: required: broken by 1 object"), "\(failure)")
  }

  @Test func `a folder that is gone since the plan is told`() throws {
    let planned = try Self.planned()
    let folder = planned.directory.path(".source_SUPPORT")
    try FileManager.default.removeItem(atPath: folder)
    #expect(
      failure(of: planned)
        == "the plan does not fit its inputs any more; make a new one:\n"
        + "  1 of 1 files with external values are gone from DIR/.source_SUPPORT"
    )
  }

  /// The rows are written when it goes.
  @Test func `a folder that goes during the run is missed before the store is published`() throws {
    let planned = try Self.planned()
    let folder = planned.directory.path(".source_SUPPORT")
    let text = failure(of: planned) {
      $0.report = { _ in try? FileManager.default.removeItem(atPath: folder) }
    }
    #expect(text.contains("1 of the planned files with external values are gone"), "\(text)")
    #expect(!planned.isMade)
  }

  @Test func `many files are copied with their bytes and modes, and without a sync for each`()
    throws
  {
    let names = (0..<200).map { "file \($0)" }
    let planned = try Self.planned { directory in
      let folder = directory.path(".source_SUPPORT/_EXTERNAL_DATA")
      for (index, name) in names.enumerated() {
        let path = "\(folder)/\(name)"
        try Files.write(Array(repeating: UInt8(index), count: index * 1000), to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      }
    }
    var progress: [MigrationProgress] = []
    try planned.run { $0.report = { progress.append($0) } }
    let copy = planned.directory.path(".destination_SUPPORT/_EXTERNAL_DATA")
    let original = planned.directory.path(".source_SUPPORT/_EXTERNAL_DATA")
    #expect(try Files.contents(of: copy) == Files.contents(of: original))
    let mode = try FileManager.default.attributesOfItem(atPath: "\(copy)/file 7")[.posixPermissions]
    #expect(mode as? Int == 0o640)
    let files = progress.filter { $0.stage == .files }
    #expect(files.last?.filesDone == 201)
    #expect(files.allSatisfy { $0.filesTotal == 201 })
    #expect(files.last?.share == 1)
    let shares = progress.compactMap(\.share)
    #expect(shares == shares.sorted())
  }

  // MARK: Links

  @Test(arguments: [true, false])
  func `values behind links are copied by content`(isFolder: Bool) throws {
    let planned = try Self.planned { directory in
      let values = directory.path(".source_SUPPORT/_EXTERNAL_DATA")
      let manager = FileManager.default
      if isFolder {
        try manager.moveItem(atPath: values, toPath: directory.path("big"))
        try manager.createSymbolicLink(atPath: values, withDestinationPath: "../big")
      } else {
        try manager.moveItem(atPath: "\(values)/\(Self.present)", toPath: directory.path("value"))
        try manager.createSymbolicLink(
          atPath: "\(values)/\(Self.present)",
          withDestinationPath: directory.path("value")
        )
        // What leads to nothing is a missing file.
        try manager.createSymbolicLink(
          atPath: "\(values)/\(Self.missing)",
          withDestinationPath: "nothing"
        )
      }
    }
    #expect(planned.plan.source.externalFiles?.missing == 1)
    try planned.run()
    let copy = planned.directory.path(".destination_SUPPORT/_EXTERNAL_DATA")
    let found = try FileManager.default.contentsOfDirectory(atPath: copy)
    #expect(found == [Self.present])
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(copy)/\(Self.present)")
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    #expect(try Files.read("\(copy)/\(Self.present)") == [1, 2, 3])
  }

  @Test func `links out of the folder of the store are followed only if that is allowed`() throws {
    let other = TemporaryDirectory()
    try Files.write([1, 2, 3], to: other.path("value"))
    let link = ".source_SUPPORT/_EXTERNAL_DATA/\(Self.present)"
    let place = other.path("value")
    func change(_ directory: TemporaryDirectory) throws {
      try FileManager.default.removeItem(atPath: directory.path(link))
      try FileManager.default.createSymbolicLink(
        atPath: directory.path(link),
        withDestinationPath: place
      )
    }
    let text = failure { try Self.planned(changing: change) }
    #expect(text.contains("leads to"), "\(text)")
    #expect(text.contains("--allow external-links"), "\(text)")
    // A link that is put there after the plan was made.
    let late = try Self.planned()
    try change(late.directory)
    let failure = failure(of: late)
    #expect(failure.contains("--allow external-links"), "\(failure)")
    #expect(try late.directory.bytes()["destination.sqlite"] == nil)
    let planned = try plan(Self.store(), to: Self.destination())
    try Self.addFile(to: planned)
    try change(planned.directory)
    var allowed = planned
    allowed.plan = try planned.plan(allowing: [.externalLinks])
    #expect(allowed.plan.source.externalFiles?.followsLinks == true)
    try allowed.run()
    let copy = planned.directory.path(".destination_SUPPORT/_EXTERNAL_DATA/\(Self.present)")
    #expect(try Files.read(copy) == [1, 2, 3])
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
  }

  @Test func `a folder of files under the destination's name is not overwritten`() throws {
    let planned = try Planned(Self.store(), to: Self.destination())
    _ = try planned.directory.folder(".destination_SUPPORT")
    #expect(
      failure(of: planned)
        == "DIR/.destination_SUPPORT already exists and is not overwritten; choose another name "
        + "or move it away"
    )
  }

  // MARK: Values that are not references

  /// Rows with bytes that Core Data writes for no value: neither a byte 1 before a value, nor a whole
  /// reference to a file.
  private static func damaged() throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      .each("Note", [:], [:], [:], [:], ["image": .binary([2, 3])])
    )
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = x'02AABB' WHERE Z_PK = 1",
      "UPDATE ZNOTE SET ZIMAGE = x'0300' WHERE Z_PK = 2",
      "UPDATE ZNOTE SET ZIMAGE = x'' WHERE Z_PK = 3",
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(present)!' AS BLOB) WHERE Z_PK = 4",
      "UPDATE ZNOTE SET ZIMAGE = CAST(ZIMAGE AS BLOB)",
    ]
    return store
  }

  private static func plain() throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.optional("image", .binaryData)]))
  }

  @Test func `what is not a reference moves as it stands where values must lie in their rows`()
    throws
  {
    let migrated = try migrate(Self.damaged(), to: Self.plain())
    #expect(
      try migrated.destination.rows("SELECT Z_PK, hex(ZIMAGE) FROM ZNOTE ORDER BY Z_PK") == [
        [1, "02AABB"], [2, "0300"], [3, ""],
        // 02, the name in ASCII, an exclamation mark where a NUL belongs.
        [4, "0238463446364332412D374339422D344135452D384431312D36413643394131423243334421"],
        [5, "0203"],
      ]
    )
  }

  @Test func `a large value that is not a reference moves as it stands`() throws {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      .each("Note", [:], [:])
    )
    store.sql = [(1, "01"), (2, "02")].map { key, first in
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'\(first)' || zeroblob(2000000) AS BLOB) WHERE Z_PK = \(key)"
    }
    let migrated = try migrate(store, to: Self.plain())
    #expect(migrated.plan.memory.streamedTables == ["ZNOTE"])
    #expect(
      try migrated.destination
        .rows("SELECT Z_PK, length(ZIMAGE), hex(substr(ZIMAGE, 1, 2)) FROM ZNOTE ORDER BY Z_PK")
        == [[1, 2_000_000, "0000"], [2, 2_000_001, "0200"]]
    )
  }
}

extension Planned {
  /// The plan for what is in the folder now.
  fileprivate func plan(allowing allowed: Set<PlanAllowance>) throws -> MigrationPlan {
    var request = PlanRequest(in: directory)
    request.allowed = allowed
    if FileManager.default.fileExists(atPath: directory.path("all.json")) {
      request.mapping = directory.path("all.json")
    }
    return try Planner.plan(request)
  }
}

import BulkTestSupport
import NotesPolicySources
import Testing

/// The single steps of `Plans/uncloudnotes`.
struct UnCloudNotesTests {
  private static let package = "UnCloudNotesDataModel.xcdatamodeld"
  private static let model1 = "\(package)/UnCloudNotesDataModel.xcdatamodel"
  private static let model2 = "\(package)/UnCloudNotesDataModel v2.xcdatamodel"
  private static let model3 = "\(package)/UnCloudNotesDataModel v3.xcdatamodel"
  private static let policyName = "UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4"
  private static let policies: [String: any EntityMigrationPolicy] = [
    policyName: ImageAttachmentPolicy()
  ]
  private let example: Example

  init() throws { example = try Example("uncloudnotes") }

  private static func notes(_ store: StoreFile) throws -> [[StoredValue]] {
    try store.rows(of: "ZNOTE", "Z_PK", "ZDISPLAYINDEX", "ZDATECREATED", "ZBODY", "ZTITLE")
  }

  @Test func `U-1, notes get an attribute for an image`() throws {
    try example.write(
      Notes.version1(example.model(Self.model1)),
      as: "UnCloudNotesDataModel.sqlite"
    )
    let store = try example.migrate(by: "all.json")
    #expect(try Self.notes(store) == Notes.rows)
    #expect(try store.rows("SELECT count(*), count(ZIMAGE) FROM ZNOTE") == [[12, 0]])
    #expect(
      try store.metadata().versionHashes == example.model(Self.model2).entityVersionHashesByName
    )
  }

  private func version3() throws -> StoreFile {
    try example.write(
      Notes.version2(example.model(Self.model2)),
      as: "UnCloudNotesDataModel-v2.sqlite"
    )
    return try example.migrate(by: "v2-to-v3.json")
  }

  private func version4() throws -> StoreFile {
    _ = try version3()
    return try example.migrate(by: "v3-to-v4.json", policies: Self.policies)
  }

  @Test func `U-2, every note with an image gets an attachment`() throws {
    let store = try version3()
    #expect(try Self.notes(store) == Notes.rows)
    #expect(
      try store.columns(of: "ZNOTE") == [
        "Z_PK", "Z_ENT", "Z_OPT", "ZDISPLAYINDEX", "ZDATECREATED", "ZBODY", "ZTITLE",
      ]
    )
    #expect(
      try store.rows(of: "ZATTACHMENT", "Z_PK", "Z_ENT", "ZNOTE", "ZDATECREATED", "ZIMAGE")
        == [
          [1, 1, 1, 1.5, .blob(Notes.onePixel)], [2, 1, 2, 2.5, .blob(Notes.threeByTwo)],
          [3, 1, 3, 3.5, .blob(Notes.line)], [4, 1, 4, 4.5, .blob(Notes.onePixel)],
          [5, 1, 5, 5.5, .blob(Notes.onePixel)], [6, 1, 6, 6.5, .blob(Notes.onePixel)],
          [7, 1, 7, 7.5, .blob(Notes.onePixel)], [9, 1, 9, 9.5, [1, 2, 3]],
          [12, 1, 12, -1.5, .blob(Notes.threeByTwo)],
        ]
    )
  }

  @Test func `U-2, a note with an image and no date is found by validation`() throws {
    var store = Notes.version2(try example.model(Self.model2))
    store.objects.append(
      TestObject("Note", 30, ["title": "t", "body": "b", "displayIndex": 0, "image": .binary([1])])
    )
    try example.write(store, as: "UnCloudNotesDataModel-v2.sqlite")
    let failure = example.failure(of: try example.plan("v2-to-v3.json"))
    #expect(
      failure.contains(
        "  Attachment.dateCreated: required: broken by 1 object\n    key 30, from Note 30: nil\n"
      )
    )
  }

  @Test func `U-3, attachments become image attachments with sizes and captions`() throws {
    let store = try version4()
    #expect(try Self.notes(store) == Notes.rows)
    let a79 = String(repeating: "a", count: 79)
    let a80 = StoredValue.text(a79 + "a")
    #expect(
      try store.rows(
        of: "ZATTACHMENT",
        "Z_PK",
        "Z_ENT",
        "ZNOTE",
        "ZDATECREATED",
        "ZWIDTH",
        "ZHEIGHT",
        "ZCAPTION"
      ) == [
        [1, 2, 1, 1.5, 1.0, 1.0, ""], [2, 2, 2, 2.5, 3.0, 2.0, "a"],
        [3, 2, 3, 3.5, 640.0, 1.0, .text(a79)], [4, 2, 4, 4.5, 1.0, 1.0, a80],
        [5, 2, 5, 5.5, 1.0, 1.0, a80], [6, 2, 6, 6.5, 1.0, 1.0, a80],
        [7, 2, 7, 7.5, 1.0, 1.0, .text(a79)], [9, 2, 9, 9.5, 0.0, 0.0, "plain"],
        [12, 2, 12, -1.5, 3.0, 2.0, "👩‍👩‍👧"],
      ]
    )
    #expect(
      try store.rows("SELECT Z_PK, length(ZIMAGE) FROM ZATTACHMENT ORDER BY Z_PK")
        == [
          [1, 67], [2, 71], [3, 72], [4, 67], [5, 67], [6, 67], [7, 67], [9, 3], [12, 71],
        ]
    )
    #expect(
      try store.rows(of: "Z_PRIMARYKEY", "Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX")
        == [[1, "Attachment", 0, 12], [2, "ImageAttachment", 1, 0], [3, "Note", 0, 20]]
    )
  }

  @Test func `U-3, an attachment without a note has an empty caption`() throws {
    let store = TestStore(
      try example.model(Self.model3),
      TestObject("Attachment", 5, ["dateCreated": .date(1), "image": .binary(Notes.line)])
    )
    try example.write(store, as: "UnCloudNotesDataModel-v3.sqlite")
    #expect(
      try example.migrate(by: "v3-to-v4.json", policies: Self.policies)
        .rows(of: "ZATTACHMENT", "Z_PK", "Z_ENT", "ZNOTE", "ZWIDTH", "ZHEIGHT", "ZCAPTION")
        == [[5, 2, nil, 640.0, 1.0, ""]]
    )
  }

  /// The slip of the public copy of the sample, which makes two objects of every attachment.
  @Test func `U-3, the plan names the policy, and warns of two mappings of the same attachments`()
    throws
  {
    _ = try version3()
    let plan = try example.plan("v3-to-v4.json")
    #expect(plan.passes.flatMap(\.entities).compactMap(\.policy) == [Self.policyName])
    try example.replace(
      "\"entityMappings\": [",
      with: "\"entityMappings\": [{ \"source\": \"Attachment\", \"destination\": \"Attachment\" },",
      in: "v3-to-v4.json"
    )
    let warnings = try example.plan("v3-to-v4.json").warnings
    #expect(
      warnings == [
        "entity mappings AttachmentToAttachment and AttachmentToImageAttachment both make objects of "
          + "the hierarchy of Attachment from every Attachment, so each appears twice; remove one or "
          + "give them filters"
      ]
    )
  }

  /// The mapping models of the sample application, with the models of the example.
  @Test(
    .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there"),
    arguments: ["v2-to-v3.json", "v3-to-v4.json"]
  )
  func `the application's own mapping models make the same bytes`(file: String) throws {
    let made = try file == "v2-to-v3.json" ? version3() : version4()
    let bytes = try Files.read(made.path)
    try FileManager.default.removeItem(atPath: made.path)
    let name = file.replacing("-", with: "_").replacing(".json", with: ".xcmappingmodel")
    let mapping = SharedData.path("uncloudnotes/UnCloudNotesMappingModel_\(name)")
    let again = try example.run(
      try example.plan(xcode: mapping, as: file),
      policies: Self.policies
    )
    #expect(try Files.read(again.path) == bytes)
  }
}

import BulkTestSupport
import Testing

struct ViolationSourceTests {
  private static func pictures() throws -> TestStore {
    TestStore(
      try .of(.init("Image", [.optional("title")]), .init("Photo", [.optional("title")])),
      TestObject("Image", 1, ["title": "a"]),
      TestObject("Image", 2, ["title": "b"]),
      TestObject("Photo", 1, ["title": "a"]),
      TestObject("Photo", 2)
    )
  }

  /// Pictures of which each has a title, or a title of its own.
  private static func planned(isUnique: Bool = false, policy: String? = nil) throws -> Planned {
    try Planned(
      pictures(),
      to: .of(
        isUnique
          ? .init("Picture", [.optional("title")], unique: [["title"]])
          : .init("Picture", [.required("title")])
      ),
      by: [
        .of("Image", "Picture", ["title": "$source.title"]),
        .of("Photo", "Picture", policy: policy, ["title": "$source.title"]),
      ]
    )
  }

  /// The objects of the second mapping get keys behind those of the first.
  @Test func `a violation names the source row beside the destination's key`() throws {
    let planned = try Self.planned()
    #expect(
      failure(of: planned) == """
        1 value breaks a rule of the destination's model; no destination was made:
          Picture.title: required: broken by 1 object
            key 4, from Photo 2: nil
        all are listed in DIR/destination.sqlite.bulkmigrate/violations.jsonl
        """
    )
    let report = try #require(
      planned.directory.bytes()["destination.sqlite.bulkmigrate/violations.jsonl"]
    )
    #expect(
      String(decoding: report, as: UTF8.self) == """
        {"entity":"Picture","key":4,"mapping":"PhotoToPicture","property":"title","rule":"required",\
        "sourceEntity":"Photo","sourceKey":2}

        """
    )
  }

  @Test(arguments: ["a file", "a link"])
  func `what others put in the place of the report stays`(kind: String) throws {
    let planned = try Self.planned()
    _ = failure(of: planned)
    let report = planned.directory.path("destination.sqlite.bulkmigrate/violations.jsonl")
    let victim = planned.directory.path("victim")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
    try FileManager.default.removeItem(atPath: report)
    if kind == "a link" {
      try FileManager.default.createSymbolicLink(atPath: report, withDestinationPath: victim)
    } else {
      try FileManager.default.copyItem(atPath: victim, toPath: report)
    }
    #expect(
      failure(of: planned)
        == "DIR/destination.sqlite.bulkmigrate/violations.jsonl already exists and was not made by this "
        + "migration; it is not overwritten; move it away"
    )
    #expect(try Files.read(report) == Array("mine".utf8))
    #expect(try Files.read(victim) == Array("mine".utf8))
  }

  @Test
  func `objects with the same unique value, and those of policies, name their source rows`() throws
  {
    #expect(
      failure(of: try Self.planned(isUnique: true)).contains(
        "  Picture.title: unique: broken by 1 object\n    key 3, from Photo 1: a\n"
      )
    )
    struct Copying: EntityMigrationPolicy {}
    #expect(
      failure(of: try Self.planned(policy: "Copying"), policies: ["Copying": Copying()]).contains(
        "  Picture.title: required: broken by 1 object\n    key 4, from Photo 2: nil\n"
      )
    )
  }

  @Test func `a value that an expression does not give is counted once`() throws {
    let planned = try Planned(
      TestStore(
        .of(EntityDescription("Reading", [.optional("text")])),
        .each("Reading", ["text": "1.5"], ["text": "x"], [:])
      ),
      to: .of(EntityDescription("Reading", [.required("amount", .double)])),
      by: [.of("Reading", "Reading", ["amount": "CAST($source.text, 'NSNumber')"])]
    )
    #expect(
      failure(of: planned) == """
        2 values break rules of the destination's model; no destination was made:
          ReadingToReading.amount: its expression fails for 1 object
            key 2, from Reading 2: "x" cannot be cast to NSNumber
          Reading.amount: required: broken by 1 object
            key 3, from Reading 3: nil
        all are listed in DIR/destination.sqlite.bulkmigrate/violations.jsonl
        """
    )
  }
}

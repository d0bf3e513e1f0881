import BulkTestSupport
import Testing

/// `--like-core-data` of `migrate` and `fleet plan`: formats/migration.md 2.13.
struct LikeCoreDataCommandTests {
  private let program: Program
  private static let sentence = "Note.image: no longer allows external storage: Core Data refuses"

  /// `Images.sqlite` may keep images in files, which `models/inline.mom` does not allow.
  init() throws {
    program = try Program(.call)
    _ = try program.directory.folder("models")
    let model = try ManagedObjectModel.of(EntityDescription("Note", [.external("image")]))
    try program.write(model, to: "models/images.mom")
    try program.write(
      .of(EntityDescription("Note", [.optional("image", .binaryData)])),
      to: "models/inline.mom"
    )
    _ = try TestStore(model, TestObject("Note", 1))
      .write(to: program.directory.path("Images.sqlite"))
  }

  @Test func `migrate refuses, and leaves the store alone`() throws {
    let before = try program.directory.bytes()
    let words = ["migrate", "Images.sqlite", "--models", "models", "--to", "inline"]
    let run = try program(words + ["--like-core-data"], ending: 65)
    #expect(run.errors.contains(Self.sentence), "\(run.errors)")
    #expect(try program.directory.bytes() == before)
    #expect(try program(words).status == 0)
  }

  @Test func `fleet plan reports it for the stores, and keeps that the first of several counts`()
    throws
  {
    try program.write(
      #"{"id": "a", "source": "\#(program.directory.path("Images.sqlite"))", "destination": "New.sqlite"}"#,
      to: "stores.jsonl"
    )
    let words = [
      "fleet", "plan", "--manifest", "stores.jsonl", "--models", "models", "--to", "inline",
      "--max-loss", "all", "--json", "-o",
    ]
    let refused = try program(words + ["refused.json", "--like-core-data"])
    #expect(refused.output.contains(Self.sentence), "\(refused.output)")
    #expect(try program(words + ["last.json", "--allow", "last-of-several"]).status == 64)
    let planned = try program(words + ["first.json", "--allow", "first-of-several"])
    #expect(!planned.output.contains("no mapping can be inferred"), "\(planned.output)")
    let plan = try program.text(of: "first.json")
    #expect(plan.filter { !$0.isWhitespace }.contains(#""allowed":["first-of-several"]"#))
  }
}

import BulkTestSupport
import Testing

struct MappedPlanTests {
  private let folder = TemporaryDirectory()
  private var request = PlanRequest()

  init() throws {
    let source = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    let destination = try ManagedObjectModel.of(EntityDescription("Note", [.optional("headline")]))
    let store = TestStore(source, TestObject("Note", 1, ["title": "a"]))
    _ = try store.write(to: folder.path("source.sqlite"))
    try TestStore.write(destination, to: folder.path("destination.mom"))
    try TestStore.write(source, to: folder.path("source.mom"))
    request = PlanRequest(in: folder)
    request.mapping = folder.path("all.json")
  }

  private func write(_ mapping: String) throws {
    let text = "{ \"bulkmigrate\": \"mapping/1\", \"entityMappings\": [\(mapping)] }"
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("all.json")))
  }

  private static let renaming =
    #"{ "source": "Note", "destination": "Note", "attributes": { "headline": "$source.title" } }"#

  /// The digest is that of the mapping as `bulkmigrate mapping convert` writes it without the
  /// models, by sha256sum.
  @Test func `a plan keeps the digest of what the mapping means`() throws {
    try write(Self.renaming)
    let plan = try Planner.plan(request)
    #expect(plan.steps[0].mapping.path == folder.path("all.json"))
    #expect(plan.steps[0].mapping.infer == "unmentioned")
    #expect(
      plan.steps[0].mapping.digest
        == "2e95dbce99df7ff3c6375b54358e8645011611b9168bfdd9de9e02b96402a703"
    )
    // Another text that means the same.
    try write(#"{ "name": "NoteToNote", \#(Self.renaming.dropFirst())"#)
    #expect(try Planner.plan(request) == plan)
  }

  @Test func `the mapping overrides inference`() throws {
    try write(Self.renaming)
    let plan = try Planner.plan(request)
    #expect(
      plan.passes.flatMap(\.entities).map(\.details) == [["attribute headline = $source.title"]]
    )
    _ = try Migration(inTestProcess: plan).run()
    let rows = try StoreFile(folder.path("destination.sqlite")).rows(of: "ZNOTE")
    #expect(rows == [[1, 1, 1, "a"]])
  }

  @Test(arguments: [
    #"{ "source": "Note", "destination": "Note" }"#,
    #"{ "source": "Nota", "destination": "Note" }"#,
    "", nil,
  ])
  func `a run refuses a mapping that has changed or is gone`(mapping: String?) throws {
    try write(Self.renaming)
    let plan = try Planner.plan(request)
    if let mapping {
      try write(mapping)
    } else {
      try FileManager.default.removeItem(atPath: folder.path("all.json"))
    }
    let migration = Migration(inTestProcess: plan)
    let text =
      mapping == nil
      ? "the file does not exist" : "\n  the mapping \(folder.path("all.json")) has changed"
    #expect(failure { try migration.run() }.contains(text))
  }

  @Test func `faults of the mapping are told as they are`() throws {
    try write(#"{ "source": "Note", "destination": "Not" }"#)
    let text = failure { try Planner.plan(request) }
    #expect(
      text == folder.path("all.json")
        + ":1:85: entity mapping NoteToNot: the destination model has no entity Not; did you mean Note?"
    )
  }

  @Test func `warnings of the mapping come first in the plan`() throws {
    try write(
      #"""
      { "name": "A", "source": "Note", "destination": "Note", "attributes": { "headline": "$source.title" } },
      { "name": "B", "source": "Note", "destination": "Note" }
      """#
    )
    let plan = try Planner.plan(request)
    #expect(plan.warnings.first?.hasPrefix("entity mappings A and B both make objects") == true)
  }

  @Test func `a store that fits already needs no mapping that was made for another version`() throws
  {
    let text = """
      { "bulkmigrate": "mapping/1", "source": { "model": "destination.mom" },
        "entityMappings": [{ "source": "No", "destination": "No" }] }
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("all.json")))
    var request = request
    request.destinationModel = folder.path("source.mom")
    let plan = try Planner.plan(request)
    #expect(plan.isUpToDate)
    #expect(plan.steps[0].mapping.digest == nil)
  }

  @Test func `a mapping between equal models is carried out`() throws {
    try write(
      #"{ "source": "Note", "destination": "Note", "attributes": { "title": "uppercase:($source.title)" } }"#
    )
    var request = request
    request.destinationModel = folder.path("source.mom")
    let plan = try Planner.plan(request)
    #expect(plan.isUpToDate == false)
    _ = try Migration(inTestProcess: plan).run()
    #expect(
      try StoreFile(folder.path("destination.sqlite")).rows(of: "ZNOTE", "ZTITLE") == [["A"]]
    )
  }

  /// The copies are archives as a `.mom` holds them; Xcode writes those of its editor.
  @Test func `models that nobody names are found by the mapping of Xcode`() throws {
    let copies = try ["source", "destination"].map { side in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("\(side).mom")))
      return
        "<attribute name=\"\(side)modeldata\" type=\"binary\">\(bytes.base64EncodedString())</attribute>"
    }
    let mapping = try folder.folder("M.xcmappingmodel")
    let text = """
      <database><object type="XDDEVMAPPINGMODEL" id="z1">\(copies.joined())
      <relationship name="entitymappings" idrefs="z2"></relationship></object>
      <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Note</attribute>
      <attribute name="destinationname">Note</attribute></object></database>
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: mapping + "/xcmapping.xml"))
    var request = PlanRequest()
    request.source = self.request.source
    request.destination = self.request.destination
    request.mapping = mapping
    let plan = try Planner.plan(request)
    #expect(plan.destination.model.path == mapping)
    #expect(plan.steps[0].mapping.infer == "none")
    _ = try Migration(inTestProcess: plan).run()
    #expect(try StoreFile(folder.path("destination.sqlite")).rows(of: "ZNOTE") == [[1, 1, 1, nil]])
  }

  @Test func `a file that maps nothing leaves everything to be inferred`() throws {
    try Data(#"{ "bulkmigrate": "mapping/1" }"#.utf8)
      .write(to: URL(fileURLWithPath: folder.path("all.json")))
    let plan = try Planner.plan(request)
    #expect(plan.steps[0].mapping.digest == nil)
    #expect(
      plan.passes.flatMap(\.entities).map(\.details)
        == [["attribute headline added with nil", "attribute title removed"]]
    )
  }
}

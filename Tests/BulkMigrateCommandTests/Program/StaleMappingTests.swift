import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// Mapping models of Xcode whose models have changed, or cannot be read any more.
@Suite(
  "The program, converting mappings whose models have changed",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct StaleMappingTests {
  private let program: Program

  /// A mapping of notes with copies of `v1.mom` and `v2.mom`, which it recorded beside it.
  init() throws {
    program = try Program()
    let models = try [("source", "v1.mom"), ("destination", "v2.mom")].map { side, name in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: program.directory.path(name)))
      return """
        <attribute name="\(side)modelpath">\(name)</attribute>
        <attribute name="\(side)modeldata">\(bytes.base64EncodedString())</attribute>
        """
    }
    let mapping = try program.directory.folder("M.xcmappingmodel")
    let text = """
      <database><object type="XDDEVMAPPINGMODEL" id="z1">\(models.joined())
      <relationship name="entitymappings" idrefs="z2"></relationship></object>
      <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Note</attribute>
      <attribute name="destinationname">Note</attribute>
      <relationship name="attributemappings" idrefs="z3"></relationship></object>
      <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">title</attribute>
      </object></database>
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: mapping + "/xcmapping.xml"))
  }

  private func replace(_ name: String, _ entities: EntityDescription...) throws {
    try FileManager.default.removeItem(atPath: program.directory.path(name))
    try TestStore.write(
      try ManagedObjectModel(entities: entities),
      to: program.directory.path(name)
    )
  }

  private func converted(_ sides: String) -> String {
    """
    {
      "bulkmigrate": "mapping/1",
    \(sides)  "infer": "none",
      "entityMappings": [
        {
          "name": "NoteToNote",
          "type": "copy",
          "source": "Note",
          "destination": "Note",
          "attributes": {
            "title": "$source.title"
          }
        }
      ]
    }

    """
  }

  private static let both =
    "  \"source\": { \"model\": \"v1.mom\" },\n  \"destination\": { \"model\": \"v2.mom\" },\n"

  @Test func `models that equal their copies are used without a word`() throws {
    let found = try program.failure(["mapping", "--convert", "M.xcmappingmodel"])
    #expect(found == Failure(status: 0, errors: "", output: converted(Self.both)))
  }

  @Test func `a model that has changed is used and told of, with both hashes`() throws {
    try replace(
      "v2.mom",
      EntityDescription("Note", [.optional("title")]),
      EntityDescription("Tag")
    )
    let found = try program.failure(["mapping", "--convert", "M.xcmappingmodel"])
    #expect(
      found
        == Failure(
          status: 0,
          errors: "warning: the destination model has changed since the mapping was "
            + "saved: Note has the version hash cff4f28d4870… in the copy and 4d01245de872… in the model, Tag is "
            + "only in the model\n",
          output: converted(Self.both)
        )
    )
  }

  @Test func `a model that lacks what the mapping names gives way to its copy`() throws {
    try replace("v1.mom", EntityDescription("Memo", [.optional("title")]))
    let found = try program.failure(["mapping", "--convert", "M.xcmappingmodel"])
    #expect(
      found
        == Failure(
          status: 0,
          errors: """
            warning: the source model has changed since the mapping was saved: Memo is \
            only in the model, Note is only in the copy
            warning: the copy of the source model in the mapping is used, because \
            DIR/v1.mom does not have what the mapping names

            """,
          output: converted("  \"destination\": { \"model\": \"v2.mom\" },\n")
        )
    )
  }

  @Test func `models that cannot be read give way to their copies`() throws {
    for name in ["v1.mom", "v2.mom"] {
      try Data("nonsense".utf8).write(to: URL(fileURLWithPath: program.directory.path(name)))
    }
    let found = try program.failure(["mapping", "--convert", "M.xcmappingmodel"])
    #expect(found.status == 0)
    #expect(found.output == converted(""))
    #expect(
      found.errors == """
        warning: the copy of the source model in the mapping is used, because DIR/v1.mom is not a \
        managed object model: not a keyed archive: its $archiver is not NSKeyedArchiver
        warning: the copy of the destination model in the mapping is used, because DIR/v2.mom is not \
        a managed object model: not a keyed archive: its $archiver is not NSKeyedArchiver

        """
    )
  }

  @Test func `a model that is named is used, whatever its copy is`() throws {
    try replace("v1.mom", EntityDescription("Memo", [.optional("title")]))
    let found = try program.failure(
      ["mapping", "--convert", "M.xcmappingmodel", "--source-model", "v1.mom"]
    )
    #expect(found.status == 65)
    #expect(
      found.errors
        == "bulkmigrate: M.xcmappingmodel:5: entity mapping NoteToNote: the source model has no "
        + "entity Note\n"
    )
  }

  @Test func `the check tells faults and what has changed`() throws {
    try replace("v1.mom", EntityDescription("Memo", [.optional("title")]))
    let found = try program.failure(["mapping", "--check", "M.xcmappingmodel"])
    #expect(found.status == 65)
    #expect(
      found.output == """
        M.xcmappingmodel:5: error: entity mapping NoteToNote: the source model has no entity Note
        M.xcmappingmodel: warning: the source model has changed since the mapping was saved: Memo \
        is only in the model, Note is only in the copy

        """
    )
  }
}

import BulkTestSupport
import Testing

/// Mapping models of Xcode whose models have changed, or cannot be read any more.
@Suite("The program, converting mappings whose models have changed", .tags(.promise11))
struct StaleMappingTests {
  private let program: Program

  /// A mapping of notes with copies of `v1.mom` and `v2.mom`, which it recorded beside it.
  init() throws {
    program = try Program(.call)
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

  private static let memo = EntityDescription("Memo", [.optional("title")])
  private static let notes = [
    EntityDescription("Note", [.optional("title")]), EntityDescription("Tag"),
  ]

  /// Replaces a model by one of other entities; by none for a file that is not one.
  private func replace(_ name: String, _ entities: [EntityDescription]) throws {
    program.remove(name)
    if entities.isEmpty {
      try program.write("nonsense", to: name)
    } else {
      try program.write(ManagedObjectModel(entities: entities), to: name)
    }
  }

  @Test func `the copies are used, whatever became of the models beside the mapping`() throws {
    for name in ["v1.mom", "v2.mom"] { try replace(name, []) }
    let found = try program(["mapping", "convert", "M.xcmappingmodel"])
    #expect(found.status == 0)
    #expect(found.errors == "")
    #expect(!found.output.contains(".mom"), "\(found.output)")
    #expect(found.output.contains("\"title\": \"$source.title\""))
  }

  @Test func `a model that is named is used, and the check tells faults and what has changed`()
    throws
  {
    try replace("v1.mom", [Self.memo])
    let fault = "entity mapping NoteToNote: the source model has no entity Note\n"
    let named = try program(
      ["mapping", "convert", "M.xcmappingmodel", "--source-model", "v1.mom"]
    )
    #expect(named.status == 65)
    #expect(named.errors == "bulkmigrate: M.xcmappingmodel:5: \(fault)")
    let checked = try program("mapping check M.xcmappingmodel --source-model v1.mom".words)
    #expect(checked.status == 65)
    #expect(checked.output.contains("M.xcmappingmodel:5: error: \(fault)"))
    #expect(checked.output.contains("warning: the source model has changed since the mapping"))
    try replace("v2.mom", Self.notes)
    let changed = try program("mapping check M.xcmappingmodel --destination-model v2.mom".words)
    #expect(
      changed.output.contains(
        """
        warning: the destination model has changed since the mapping was saved: Note has the version hash \
        cff4f28d4870… in the copy and 4d01245de872… in the model, Tag is only in the model
        """
      ),
      "\(changed.output)"
    )
  }
}

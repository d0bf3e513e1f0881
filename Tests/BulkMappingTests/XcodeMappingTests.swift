import BulkTestSupport
import Testing

/// The shape of the documents: formats/mapping-models.md 1.
struct XcodeMappingTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private static let name = "M.xcmappingmodel/xcmapping.xml"

  private func document(_ objects: String, mappings: String = "z2") -> String {
    """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database><databaseInfo><version>134481920</version><metadata><plist version="1.0"><dict>
    <key>x</key><object>y</object></dict></plist></metadata></databaseInfo>
    <object type="XDDEVMAPPINGMODEL" id="z1">
    <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="\(mappings)"></relationship>
    </object>
    \(objects)
    </database>
    """
  }

  private func entity(
    _ id: String,
    _ source: String?,
    _ destination: String?,
    number: Int = 1,
    _ rest: String = ""
  ) -> String {
    let names = [("sourcename", source), ("destinationname", destination)]
    let texts = names.compactMap { name, text in text.map { attribute(name, $0) } }
    return "<object type=\"XDDEVENTITYMAPPING\" id=\"\(id)\">" + texts.joined()
      + attribute("mappingnumber", "\(number)", type: "int16")
      + attribute("autogenerateexpression", "1", type: "bool") + rest + "</object>"
  }

  private func attribute(_ name: String, _ text: String, type: String = "string") -> String {
    "<attribute name=\"\(name)\" type=\"\(type)\">\(text)</attribute>\n"
  }

  private func links(_ name: String, _ ids: String) -> String {
    "<relationship name=\"\(name)mappings\" type=\"0/0\" destination=\"X\" idrefs=\"\(ids)\"></relationship>"
  }

  private func property(
    _ id: String,
    _ name: String,
    kind: String = "ATTRIBUTE",
    _ rest: String = ""
  ) -> String {
    "<object type=\"XDDEV\(kind)MAPPING\" id=\"\(id)\">" + attribute("name", name) + rest
      + "</object>"
  }

  private func model(_ text: String) throws -> MappingModel {
    try notes.model(text, named: Self.name)
  }

  @Test func `entity mappings come by their numbers, and what nothing leads to is ignored`() throws
  {
    let text = document(
      entity("z2", "Note", "Note", number: 7) + entity("z3", "Folder", "Folder", number: 2)
        + entity("z4", "Note", "Attachment", number: 1)
        + entity("z5", nil, "Attachment", number: 9),
      mappings: "z2 z5 z3"
    )
    #expect(
      lines(try model(text)) == [
        "FolderToFolder copy Folder -> Folder", "NoteToNote copy Note -> Note",
        "Attachment add nothing -> Attachment",
      ]
    )
  }

  /// As one of type Undefined that a shipped mapping model has.
  @Test func `an entity mapping without source and destination is ignored with a warning`() throws {
    let text = document(
      entity("z2", "Note", "Note")
        + entity(
          "z3",
          nil,
          nil,
          number: 2,
          attribute("name", "Left") + attribute("mappingtypename", "Undefined")
            + attribute("sourcefilterpredicatestring", "nonsense (")
            + links("attribute", "z10")
        ) + entity("z4", nil, nil, number: 3) + property("z10", "body"),
      mappings: "z3 z2 z4"
    )
    let file = try notes.read(text, named: Self.name)
    let (model, warnings) = try file.mappingModel(between: notes.models)
    #expect(
      lines(model) == ["NoteToNote copy Note -> Note", "Folder remove Folder -> nothing"]
    )
    #expect(file.entityMappingNames == ["NoteToNote"])
    #expect(
      warnings == [
        "entity mapping Left: it names neither a source nor a destination, so it is ignored",
        "an entity mapping: it names neither a source nor a destination, so it is ignored",
      ]
    )
  }

  /// 3.5 and 3.6: by name, without regard to renaming identifiers; what is not listed is not assigned.
  @Test func `default values follow from names`() throws {
    let text = document(
      entity(
        "z2",
        "Note",
        "Note",
        links("attribute", "z12 z11 z10") + links("relationship", "z21 z20")
      ) + entity("z3", "Folder", "Folder", number: 2) + property("z10", "body")
        + property("z11", "headline") + property("z12", "displayIndex")
        + property("z20", "folder", kind: "RELATIONSHIP")
        + property("z21", "attachments", kind: "RELATIONSHIP"),
      mappings: "z2 z3"
    )
    #expect(
      lines(try model(text)) == [
        "NoteToNote copy Note -> Note",
        "  body = body",
        "  displayIndex = displayIndex",
        "  headline = its default",
        "  attachments = its default",
        "  folder = FolderToFolder of folder",
        "FolderToFolder copy Folder -> Folder",
      ]
    )
  }

  @Test func `expressions, key paths and mapping names are read`() throws {
    let value = try ValueExpression(format: "$source.title")
    let text = document(
      entity("z2", "Note", "Note", links("attribute", "z10") + links("relationship", "z20 z21"))
        + property(
          "z10",
          "headline",
          attribute(
            "valueexpressiondata",
            "\n" + Data(value.archive()).base64EncodedString(options: .lineLength64Characters),
            type: "binary"
          )
        )
        + property(
          "z20",
          "folder",
          kind: "RELATIONSHIP",
          attribute("sourcemappingname", "NoteToNote")
        )
        + property(
          "z21",
          "attachments",
          kind: "RELATIONSHIP",
          attribute("sourcemappingname", "NoteToNote") + attribute("sourcekeypath", "$source")
        )
    )
    #expect(
      lines(try model(text)) == [
        "NoteToNote transform Note -> Note",
        "  headline = title",
        "  attachments = NoteToNote of $source",
        "  folder = NoteToNote of folder",
        "Folder remove Folder -> nothing",
      ]
    )
  }

  /// 2.2: `\u3e00` is `>`; the bytes of a UTF-16 unit, the lower one first.
  @Test(arguments: [
    (#"displayIndex\u3e001"#, "displayIndex > 1"),
    (#"displayIndex\u3E00=1"#, "displayIndex >= 1"),
    (#"title == "\u5c00\u5c00""#, #"title == "\\""#),
    (#"title == "\u3dd8\u00de""#, #"title == "😀""#),
    ("title == &quot;a&quot;", #"title == "a""#),
    (#"displayIndex &lt; 1"#, "displayIndex < 1"),
  ])
  func `escapes of a filter are undone`(written: String, expected: String) throws {
    let text = document(
      entity("z2", "Note", "Note", attribute("sourcefilterpredicatestring", written))
    )
    #expect(try model(text).entityMappings[0].filter?.description == expected)
  }

  @Test func `an empty policy is none, and a filter of all objects too`() throws {
    let text = document(
      entity(
        "z2",
        "Note",
        "Note",
        attribute("migrationpolicyclassname", "")
          + attribute("sourcefilterpredicatestring", "TRUEPREDICATE")
      )
    )
    let mapping = try model(text).entityMappings[0]
    #expect(mapping.kind == .copy)
    #expect(mapping.entityMigrationPolicyClassName == nil)
    #expect(mapping.filter == nil)
  }

  @Test func `a policy makes a mapping custom`() throws {
    let text = document(
      entity("z2", "Note", "Note", attribute("migrationpolicyclassname", "App.Policy"))
    )
    let mapping = try model(text).entityMappings[0]
    #expect(mapping.kind == .custom)
    #expect(mapping.entityMigrationPolicyClassName == "App.Policy")
  }

  @Test func `properties that the model has no more are ignored, with a word`() throws {
    let text = document(
      entity("z2", "Note", "Note", links("attribute", "z10 z11 z12")) + property("z10", "body")
        + property("z11", "gone") + "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"z12\"></object>"
    )
    #expect(
      lines(try model(text)).prefix(3) == [
        "NoteToNote copy Note -> Note", "  body = body", "Folder remove Folder -> nothing",
      ]
    )
    #expect(
      try notes.warnings(text, named: Self.name) == [
        "entity mapping NoteToNote, attribute gone: Note has no such attribute, so it is ignored"
      ]
    )
  }

  @Test(arguments: [
    ("<database>", ":1: the XML ends inside <database>"),
    ("<model></model>", ": it holds no mapping model, not one of Xcode's"),
    ("<database></database>", ": it holds no mapping model, not one of Xcode's"),
    (
      "<database><object type='XDDEVMAPPINGMODEL' id='a'></object>"
        + "<object type='XDDEVMAPPINGMODEL' id='b'></object></database>",
      ": it holds 2 mapping models, not one of Xcode's"
    ),
    (
      "<database><object type='XDDEVMAPPINGMODEL' id='a'></object>\n<object id='a'></object></database>",
      ":2: the XML has an object without an id of its own"
    ),
    ("<database><object></object></database>", ":1: the XML has an object without an id"),
  ])
  func `a document that is not a mapping model is refused`(text: String, expected: String) throws {
    let faults = try notes.faults(text, named: Self.name)
    #expect(faults.first?.hasPrefix(Self.name + expected) == true, "\(faults)")
  }

  @Test func `several faults are told at once, by their lines`() throws {
    let text = document(
      entity(
        "z2",
        "Nope",
        "Note",
        attribute("sourcefilterpredicatestring", "a ==") + links("attribute", "z10 z11")
      ) + "\n" + property("z10", "body", attribute("valueexpressiondata", "!!", type: "binary"))
        + "\n" + property("z11", "stars", attribute("valueexpressiondata", "AAAA", type: "binary"))
    )
    let faults = try notes.faults(text, named: Self.name)
    #expect(
      faults == [
        "M.xcmappingmodel/xcmapping.xml:8: entity mapping NopeToNote, filter: 1:5: found the end, expected a value",
        "M.xcmappingmodel/xcmapping.xml:8: entity mapping NopeToNote: the source model has no entity Nope; did you "
          + "mean Note?",
        "M.xcmappingmodel/xcmapping.xml:14: entity mapping NopeToNote, attribute body: the XML has "
          + "valueexpressiondata that is not base 64 in the object that begins in line 14",
        "M.xcmappingmodel/xcmapping.xml:17: entity mapping NopeToNote, attribute stars: valueexpressiondata: archive: "
          + "not a property list: it is neither binary nor XML",
      ]
    )
  }

  @Test func `a mapping that leads to itself is read once`() throws {
    let text = document(
      entity("z2", "Note", "Note", links("attribute", "z2 z1 z9")),
      mappings: "z2 z2 z1"
    )
    #expect(try model(text).entityMappings.count == 2)
  }

  @Test func `the folder, the file in it and a mapping file that names it are the same`() throws {
    let model = try model(document(entity("z2", "Note", "Note")))
    let folder = notes.folder.path("M.xcmappingmodel")
    #expect(
      try MappingFile.read(folder).mappingModel(between: notes.models).model
        == model
    )
    let json = #"{ "bulkmigrate": "mapping/1", "mapping": "M.xcmappingmodel" }"#
    #expect(try notes.model(json) == model)
  }

  @Test func `a mapping file may infer what the mapping of Xcode that it names leaves out`() throws
  {
    _ = try model(document(entity("z2", "Note", "Note")))
    let json =
      #"{ "bulkmigrate": "mapping/1", "mapping": "M.xcmappingmodel", "infer": "unmentioned" }"#
    #expect(
      lines(try notes.model(json)) == [
        "NoteToNote copy Note -> Note", "Attachment add nothing -> Attachment",
        "FolderToFolder copy Folder -> Folder", "  name = name",
        "  notes = objects of notes",
      ]
    )
  }
}

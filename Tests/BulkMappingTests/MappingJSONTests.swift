import BulkTestSupport
import Testing

struct MappingJSONTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private static let attachment = #"""
    { "name": "NoteToAttachment", "source": "Note", "destination": "Attachment", "filter": "image != nil",
      "attributes":    { "image": "$source.image", "caption": "$source.title" },
      "relationships": { "note": "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"NoteToNote\", $source)" } }
    """#

  /// The file refers to NoteToNote, which only inference makes.
  @Test func `entities that are not mentioned are inferred, with names to refer to`() throws {
    let model = try notes.model(notes.file(Self.attachment))
    #expect(
      lines(model) == [
        "NoteToAttachment transform Note -> Attachment",
        "  caption = title",
        "  image = image",
        "  note = NoteToNote of $source",
        "FolderToFolder copy Folder -> Folder",
        "  name = name",
        "  notes = NoteToNote of notes",
        "NoteToNote transform Note -> Note",
        "  body = body",
        "  displayIndex = displayIndex",
        "  headline = title",
        "  stars = its default",
        "  attachments = its default",
        "  folder = objects of folder",
      ]
    )
    #expect(model.entityMappings[0].filter?.description == "image != nil")
  }

  @Test(arguments: [
    (#"{ "mapping": "NoteToNote", "of": "$source" }"#, "\"NoteToNote\", $source)"),
    (#"{ "mapping": "FolderToFolder" }"#, "\"FolderToFolder\", $source.folder)"),
    (
      #"{ "mapping": "FolderToFolder", "of": "$source.folder", "several": "first" }"#,
      "\"FolderToFolder\", $source.folder)[FIRST]"
    ),
  ])
  func `the objects of an entity mapping have a short form, which is written`(
    short: String,
    end: String
  ) throws {
    let entity =
      #"{ "source": "Note", "destination": "Note", "relationships": { "folder": \#(short) } }"#
    let model = try notes.model(notes.file(entity))
    let value = model.entityMappings[0].relationshipMappings.first { $0.name == "folder" }
    #expect(
      value?.valueExpression?.description
        == "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        + end
    )
    let written = short.replacing(#", "of": "$source.folder""#, with: "")
    #expect(model.json.contains(#""folder": \#(written)"#))
    #expect(try notes.model(model.json) == model)
  }

  @Test func `a transient attribute takes no value from one that another continues`() throws {
    var hidden = AttributeDescription.optional("title")
    hidden.isTransient = true
    var renamed = AttributeDescription.optional("headline")
    renamed.renamingIdentifier = "title"
    let models = ModelPair(
      from: try .of(EntityDescription("Note", [.optional("title")])),
      to: try .of(EntityDescription("Note", [hidden, renamed]))
    )
    let file = try notes.read(notes.file(#"{ "source": "Note", "destination": "Note" }"#))
    let mapping = try file.mappingModel(between: models).model.entityMappings[0]
    #expect(mapping.attributeMappings == [PropertyMapping("headline", InferredValue.copy("title"))])
  }

  @Test(arguments: [
    (#"'NoteToNote', $destination"#, true), (#"$entityMapping.name, $destination"#, true),
    (#"'FolderToFolder', $destination"#, false), (#"'NoteToNote', $source"#, false),
  ])
  func `the manager gives the source of the object that is made`(
    arguments: String,
    isKnown: Bool
  ) throws {
    let selector = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    let value = #"FUNCTION($manager, '\#(selector)', \#(arguments))"#
    let file = notes.file(
      #"""
      { "source": "Note", "destination": "Note", "attributes": { "body": "\#(value)" },
        "relationships": { "folder": { "mapping": "FolderToFolder", "of": "\#(value).folder" } } },
      { "source": "Folder", "destination": "Folder" }
      """#
    )
    let model = try notes.model(file)
    let written = model.json.contains(#""folder": { "mapping": "FolderToFolder" }"#)
    #expect(written == isKnown)
    let faults = try notes.faults(file)
    #expect(faults.contains { $0.contains("is not a path of relationships") } != isKnown)
    // An attribute gets its value before the object has a source.
    #expect(
      faults.contains { $0.contains("\(selector) must be answered by the migration manager") }
    )
  }

  @Test(arguments: [
    (
      #""note": { "mapping": "NoteToNote" }"#,
      "the source entity Note has no relationship note; write of which source objects NoteToNote makes those"
    ),
    (#""note": { "mapping": "A", "value": "$source" }"#, "mapping and value exclude each other"),
    (#""note": { "of": "$source" }"#, "of belongs to mapping, which is not there"),
    (#""note": { "mapping": "NoteToNot", "of": "$source" }"#, "did you mean NoteToNote?"),
  ])
  func `a fault in a short form is named`(relationship: String, reason: String) throws {
    let entity =
      #"{ "source": "Note", "destination": "Attachment", "relationships": { \#(relationship) } }"#
    let faults = try notes.faults(notes.file(entity))
    #expect(faults.contains { $0.contains(reason) }, "\(faults)")
  }

  private static func first(_ entity: String, _ relationship: String, _ which: String) -> String {
    """
    { "source": "Note", "destination": "\(entity)", "relationships": { "\(relationship)": {
      "value": "FUNCTION($manager, \\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\\", \\"folder\\", $source.folder)",
      "several": "\(which)" } } }
    """
  }

  @Test func `the first of several objects is the expression's`() throws {
    let model = try notes.model(notes.file(Self.first("Note", "folder", "first")))
    let folder = model.entityMappings[0].relationshipMappings.first { $0.name == "folder" }
    #expect(
      folder?.valueExpression?.description
        == "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"folder\", "
        + "$source.folder)[FIRST]"
    )
  }

  @Test(arguments: [
    ("Note", "folder", "last", ", several: only first is known"),
    (
      "Note", "attachments", "first",
      ": it takes one of several objects, but the relationship leads to many"
    ),
  ])
  func `only a relationship of one takes the first`(
    entity: String,
    relationship: String,
    which: String,
    expected: String
  ) throws {
    let faults = try notes.faults(notes.file(Self.first(entity, relationship, which)))
    #expect(
      faults.contains { $0.hasSuffix("relationship \(relationship)\(expected)") },
      "\(faults)"
    )
  }

  // formats/migration.md 8.2
  @Test func `with infer none nothing is filled in, and what nothing reads is removed`() throws {
    let model = try notes.model(
      notes.file(
        #"{ "source": "Note", "destination": "Note", "attributes": { "stars": 3 } }"#,
        infer: "none"
      )
    )
    #expect(
      lines(model) == [
        "NoteToNote transform Note -> Note", "  stars = 3", "Folder remove Folder -> nothing",
      ]
    )
  }

  @Test func `properties that are not mentioned get the value of their name or identifier`() throws
  {
    let model = try notes.model(
      notes.file(#"{ "source": "Note", "destination": "Note", "attributes": { "body": null } }"#)
    )
    #expect(
      lines(model) == [
        "NoteToNote transform Note -> Note",
        "  body = its default",
        "  displayIndex = displayIndex",
        "  headline = title",
        "  stars = its default",
        "  attachments = its default",
        "  folder = FolderToFolder of folder",
        "Attachment add nothing -> Attachment",
        "FolderToFolder copy Folder -> Folder",
        "  name = name",
        "  notes = objects of notes",
      ]
    )
  }

  @Test func `constants may be written as JSON has them`() throws {
    let model = try notes.model(
      notes.file(
        #"""
        { "source": "Note", "destination": "Note",
          "attributes": { "stars": 4, "displayIndex": true, "body": "\"x\"", "headline": "NIL" } }
        """#,
        infer: "none"
      )
    )
    #expect(
      model.entityMappings[0].attributeMappings.map(\.valueExpression) == [
        .constant(.string("x")), .constant(.boolean(true)), .constant(.null),
        .constant(.integer(4)),
      ]
    )
  }

  @Test func `policy, user info and types are read`() throws {
    let model = try notes.model(
      notes.file(
        #"""
        { "name": "X", "source": "Note", "destination": "Note", "policy": "App.Notes",
          "userInfo": { "n": 1, "d": 1.5, "t": "é", "b": false, "z": null, "at": { "date": 2.5 },
            "bytes": { "data": "AQI=" }, "id": { "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" },
            "at2": { "uri": "a:b" }, "money": { "decimal": "1.10" } },
          "attributes": { "stars": { "value": "1", "userInfo": { "k": "v" } } } },
        { "type": "remove", "source": "Folder" }
        """#,
        infer: "none"
      )
    )
    let note = model.entityMappings[0]
    #expect(
      lines(model) == ["X custom Note -> Note", "  stars = 1", "Folder remove Folder -> nothing"]
    )
    #expect(note.entityMigrationPolicyClassName == "App.Notes")
    #expect(note.userInfo.count == 10)
    #expect(note.userInfo["n"] == .integer(1))
    #expect(note.userInfo["d"] == .double(1.5))
    #expect(note.userInfo["z"] == .null)
    #expect(note.userInfo["at"] == .date(2.5))
    #expect(note.userInfo["bytes"] == .binary([1, 2]))
    #expect(note.attributeMappings[0].userInfo == ["k": .string("v")])
    let again = try notes.model(model.json, named: "again.json")
    #expect(again == model)
  }

  @Test func `a mapping is a copy where every property keeps its name`() throws {
    let model = try notes.model(notes.file(#"{ "source": "Folder", "destination": "Folder" }"#))
    #expect(model.entityMappings[0].kind == .copy)
  }

  @Test func `the text is canonical`() throws {
    let model = try notes.model(
      notes.file(
        Self.attachment.replacing("NoteToNote", with: "NoteToAttachment"),
        infer: "none"
      )
    )
    #expect(
      model.json == #"""
        {
          "bulkmigrate": "mapping/1",
          "infer": "none",
          "entityMappings": [
            {
              "name": "NoteToAttachment",
              "type": "transform",
              "source": "Note",
              "destination": "Attachment",
              "filter": "image != nil",
              "attributes": {
                "caption": "$source.title",
                "image": "$source.image"
              },
              "relationships": {
                "note": { "mapping": "NoteToAttachment", "of": "$source" }
              }
            },
            {
              "name": "Folder",
              "type": "remove",
              "source": "Folder"
            }
          ]
        }

        """#
    )
  }

  @Test func `a file without entity mappings leaves everything to be inferred`() throws {
    let file = try notes.read(#"{ "bulkmigrate": "mapping/1" }"#)
    #expect(!file.hasMapping)
    #expect(file.infer == .unmentioned)
  }

  @Test func `paths are relative to the file`() throws {
    let file = try notes.read(
      #"{ "bulkmigrate": "mapping/1", "source": { "store": "a.sqlite", "model": "/m/x.mom" } }"#,
      named: "deep/all.json"
    )
    #expect(file.source.store == notes.folder.path("deep/a.sqlite"))
    #expect(file.source.model == "/m/x.mom")
  }

  @Test func `an attribute that is not mentioned keeps its default value where the source has nil`()
    throws
  {
    let zero = AttributeDescription.required("x", .integer32, default: .integer(0))
    let source = try ManagedObjectModel.of(EntityDescription("A", [.optional("x", .integer32)]))
    let destination = try ManagedObjectModel.of(EntityDescription("A", [zero]))
    let file = try notes.read(notes.file(#"{ "source": "A", "destination": "A" }"#))
    let model = try file.mappingModel(between: ModelPair(from: source, to: destination)).model
    #expect(model.entityMappings[0].attribute("x") == .copyOrDefault("x"))
  }

  @Test func `a value that comes by its name but has another type is told`() throws {
    let source = try ManagedObjectModel.of(EntityDescription("A", [.optional("x")]))
    let destination = try ManagedObjectModel.of(EntityDescription("A", [.optional("x", .date)]))
    let file = try notes.read(notes.file(#"{ "source": "A", "destination": "A" }"#))
    let text = failure {
      try file.executableResolution(between: ModelPair(from: source, to: destination))
    }
    #expect(
      text.hasSuffix(
        "entity mapping AToA, attribute x: attribute x is Date and cannot take a string; use CAST"
      )
    )
  }

  @Test func `two mappings that make objects of one kind from the same rows are told`() throws {
    let warnings = try notes.warnings(
      notes.file(
        #"""
        { "name": "One", "source": "Note", "destination": "Note" },
        { "name": "Two", "source": "Note", "destination": "Note" }
        """#
      )
    )
    #expect(
      warnings == [
        "entity mappings One and Two both make objects of the hierarchy of Note from every Note, so "
          + "each appears twice; remove one or give them filters"
      ]
    )
  }
}

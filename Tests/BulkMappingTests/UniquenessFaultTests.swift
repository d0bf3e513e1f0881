import BulkTestSupport
import Testing

/// Rules by which objects are found or created, as mapping files write them.
struct UniquenessFaultTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private func mapping(_ rule: String) -> String {
    notes.file(
      """
      { "source": "Note", "destination": "Attachment", \(rule),
        "attributes": { "caption": "$source.title", "image": "$source.image" } }
      """,
      infer: "none"
    )
  }

  @Test(arguments: [("", ObjectUniqueness.Kept.first), (#", "keep": "last""#, .last)])
  func `attributes and the object that is kept are read`(
    keep: String,
    kept: ObjectUniqueness.Kept
  ) throws {
    let model = try notes.model(mapping(#""unique": ["caption", "image"]"# + keep))
    let rule = model.entityMappings[0].uniqueness
    #expect(rule == ObjectUniqueness(["caption", "image"], keeping: kept))
    #expect(model.entityMappings[1].uniqueness == nil)
    #expect(try notes.model(model.json) == model, "what is written can be read")
  }

  @Test(arguments: [
    (#""unique": "caption""#, "unique: it is a text, not an array of attributes' names"),
    (#""unique": []"#, "unique: it is empty, not an array of attributes' names"),
    (#""unique": [3]"#, "unique: it is a number, not a text"),
    (#""unique": ["capton"]"#, "unique capton: Attachment has no such attribute"),
    (#""unique": ["note"]"#, "unique note: it is a relationship, and objects are found"),
    (#""unique": ["caption", "caption"]"#, "unique caption: it appears twice"),
    (#""unique": ["caption"], "keep": "best""#, "keep: only first, last and quarantine are known"),
    (#""keep": "last""#, "keep: without unique every source object becomes its own"),
    (#""unique": ["caption"], "policy": "P""#, "unique: policy P makes the objects"),
  ])
  func `a rule that cannot be followed is refused`(rule: String, expected: String) throws {
    let faults = try notes.faults(mapping(rule))
    #expect(faults.count == 1)
    #expect(faults.first?.contains("NoteToAttachment, " + expected) == true, "\(faults)")
  }

  @Test func `faults are told with their places, all at once`() throws {
    let faults = try notes.faults(
      #"""
      {
        "bulkmigrate": "mapping/1",
        "infer": "none",
        "entityMappings": [
          { "source": "Note", "destination": "Attachment", "unique": ["image", "nte"],
            "attributes": { "caption": "$source.title" } },
          { "name": "B", "source": "Note", "destination": "Note", "unique": ["headline"],
            "attributes": { "headline": "$source.title" } },
          { "name": "C", "source": "Folder", "destination": "Note", "unique": ["headline"],
            "keep": "last", "attributes": { "headline": "$source.name" } }
        ]
      }
      """#
    )
    #expect(
      faults == [
        "all.json:5:65: entity mapping NoteToAttachment, unique image: it gets no value, so all objects "
          + "would be one; give it one",
        "all.json:5:74: entity mapping NoteToAttachment, unique nte: Attachment has no such attribute",
        "all.json:10:15: entity mapping C, keep: it shares its objects with entity mapping B, which "
          + "keeps the first; keep the same one",
      ]
    )
  }

  private func divided(_ elements: String) -> String {
    notes.file(
      """
      { "source": "Note", "destination": "Attachment", "forEach": "\(elements)",
        "attributes": { "caption": "$element" } }
      """,
      infer: "none"
    )
  }

  /// What is wrong with a file, and what cannot be evaluated in it.
  private func findings(_ text: String) throws -> [String] {
    try notes.read(text).findings(between: notes.models)
      .filter { $0.severity == .error }.map(\.description)
  }

  @Test(arguments: [
    "{ $source.title, $source.body }",
    #"FUNCTION($source.title, \"componentsSeparatedByString:\", \",\")"#,
    #"TERNARY($source.body == nil, { \"a\" }, { \"b\", $source.title })"#,
  ])
  func `a collection of values gives elements`(elements: String) throws {
    let text = divided(elements)
    #expect(try findings(text) == [])
    let model = try notes.model(text)
    #expect(model.entityMappings[0].elements != nil)
    #expect(try notes.model(model.json) == model, "what is written can be read")
  }

  @Test(arguments: [
    ("$source.title", "forEach takes a collection of values, not a string"),
    ("$source.folder.notes", "forEach takes a collection of values, not a collection of objects"),
    ("{ $element }", "only values of attributes know $element, in an entity mapping"),
    ("{ $source.titel }", "entity Note has no property titel"),
    ("{ 1, 2", "found the end, expected ',' or '}'"),
  ])
  func `what gives no elements is refused`(elements: String, expected: String) throws {
    let found = try findings(divided(elements))
    #expect(found.count == 1)
    #expect(found.first?.contains("NoteToAttachment, forEach: " + expected) == true, "\(found)")
  }

  @Test func `no element is known without a collection`() throws {
    let text = notes.file(
      #"{ "source": "Note", "destination": "Attachment", "attributes": { "caption": "$element" } }"#,
      infer: "none"
    )
    let found = try findings(text)
    #expect(found.first?.contains("caption: only values of attributes know $element") == true)
  }
}

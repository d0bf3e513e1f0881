import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

@Suite("Checks of mappings") struct MappingLintTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private func findings(_ mappings: String, infer: String = "none") throws -> [String] {
    try notes.read(notes.file(mappings, infer: infer))
      .findings(between: notes.models).map(\.description)
  }

  @Test func `required attributes without a value, lost properties and entities are told`() throws {
    #expect(
      try findings(
        #"{ "source": "Note", "destination": "Note", "attributes": { "body": "$source.title" } }"#
      )
        == [
          "error: entity mapping NoteToNote, attribute headline: it is required, but gets no value and "
            + "has no default value",
          "warning: entity mapping Folder: all objects of Folder are removed",
          "warning: source entity Note: its attribute body is read by nothing and lost",
          "warning: source entity Note: its attribute displayIndex is read by nothing and lost",
          "warning: source entity Note: its attribute image is read by nothing and lost",
          "warning: source entity Note: its relationship folder is read by nothing and lost",
        ]
    )
  }

  @Test func `a required attribute may get nil from an optional one, unless a filter forbids it`()
    throws
  {
    let rest =
      #""source": "Note", "destination": "Note", "attributes": { "headline": "$source.body" }"#
    let wanted =
      "warning: entity mapping NoteToNote, attribute headline: it is required, but body may be nil in "
      + "the source"
    #expect(try findings("{ \(rest) }").contains(wanted))
    #expect(
      try !findings(#"{ "filter": "displayIndex > 1 AND body != nil", \#(rest) }"#).contains(wanted)
    )
  }

  @Test(
    arguments: [
      ("$source.a / $source.b", .double, true), ("1.5 * ($source.a / 2)", .float, true),
      ("$source.a * 1.0 / $source.b", .double, false), ("$source.a / $source.b", .integer32, false),
      ("$source.a / 2.0", .decimal, false),
    ] as [(String, AttributeType, Bool)]
  )
  func `a quotient of integers for a number with a fraction is told at its place`(
    value: String,
    type: AttributeType,
    isTold: Bool
  ) throws {
    let numbers = [
      AttributeDescription.required("a", .integer32), .required("b", .integer32),
    ]
    let models = ModelPair(
      from: try .of(EntityDescription("A", numbers)),
      to: try .of(EntityDescription("A", [.optional("ratio", type)]))
    )
    let text = #"{ "source": "A", "destination": "A", "attributes": { "ratio": "\#(value)" } }"#
    let found = try notes.read(notes.file(text)).findings(between: models).filter {
      $0.reason.hasPrefix("it divides integers")
    }
    #expect(found.count == (isTold ? 1 : 0))
    #expect(found.allSatisfy { $0.line != nil && $0.column != nil && $0.severity == .warning })
  }

  @Test func `selectors and policies that are not known are told`() throws {
    let found = try findings(
      #"""
      { "source": "Note", "destination": "Note", "attributes": {
          "body": "FUNCTION($entityPolicy, 'bodyOf:', $source)",
          "stars": "FUNCTION($manager, 'starsOf:', $source, 1)",
          "headline": "importDate" } },
      { "source": "Folder", "destination": "Folder", "policy": "P" }
      """#
    )
    #expect(
      found.filter { !$0.contains("lost") } == [
        "3:39: error: entity mapping NoteToNote, attribute body: bodyOf: is sent to a policy, but the "
          + "mapping has none",
        "4:35: error: entity mapping NoteToNote, attribute stars: starsOf: must be answered by the "
          + "migration manager",
        "5:18: error: entity mapping NoteToNote, attribute headline: entity Note has no property "
          + "importDate",
        "6:58: warning: entity mapping FolderToFolder: it needs the policy P, which this program does "
          + "not have",
      ]
    )
  }

  @Test func `a name that stands alone is told as what it is read`() throws {
    let found = try findings(
      #"{ "source": "Note", "destination": "Note", "attributes": { "body": "uppercase:(title)" } }"#
    )
    #expect(
      found.contains {
        $0.hasSuffix("body: title stands alone, and is read as $source.title; better write that")
      }
    )
  }

  @Test func `faults have their places`() throws {
    #expect(
      try findings("{ \"source\": \"Not\", \"destination\": \"Note\" }") == [
        "2:13: error: entity mapping NotToNote: the source model has no entity Not; did you mean Note?"
      ]
    )
  }

  @Test func `a mapping that loses nothing has no findings`() throws {
    #expect(
      try findings(
        #"{ "source": "Note", "destination": "Note", "attributes": { "stars": "TERNARY($source.image == nil, 0, 1)" } }"#,
        infer: "unmentioned"
      ) == []
    )
  }
}

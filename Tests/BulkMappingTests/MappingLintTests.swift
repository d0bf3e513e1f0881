import BulkTestSupport
import Testing

struct MappingLintTests {
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
      "2:73: warning: entity mapping NoteToNote, attribute headline: it is required, but may get nil "
      + "from the source; give it another value then, as in TERNARY(x == nil, …, x)"
    #expect(try findings("{ \(rest) }").contains(wanted))
    #expect(
      try !findings(#"{ "filter": "displayIndex > 1 AND body != nil", \#(rest) }"#).contains {
        $0.contains("headline")
      }
    )
  }

  @Test(
    arguments: [
      ("$source.body", true), ("uppercase:($source.body)", true),
      ("TERNARY($source.body == nil, 'none', $source.body)", false),
      ("TERNARY($source.body != nil AND $source.stars > 1, $source.body, 'none')", false),
      ("TERNARY(NOT $source.body == nil, $source.body, 'none')", false),
      ("TERNARY($source.body.length > 3, uppercase:($source.body), 'none')", false),
      ("TERNARY($source.body IN {'a', 'b'}, $source.body, 'none')", false),
      ("TERNARY($source.body != 'a', $source.body, 'none')", true),
      ("TERNARY($source.body == nil OR $source.stars > 1, 'none', $source.body)", false),
      ("TERNARY($source.body == nil AND $source.stars > 1, 'none', $source.body)", true),
      ("TERNARY($source.folder == nil, 'none', $source.folder.name)", false),
      ("TERNARY($source.folder.stars == nil, $source.folder.name, 'none')", true),
      ("TERNARY($source.stars > 1, 'some', nil)", true),
      ("TERNARY($source.stars == nil, nil, 'some')", false),
      ("TERNARY(uppercase:($source.body) == nil, 'none', uppercase:($source.body))", false),
      ("TERNARY(uppercase:($source.body) == nil, 'none', $source.body)", true),
    ] as [(String, Bool)]
  )
  func `a required attribute that may get nil is told, unless a condition excludes that`(
    value: String,
    isTold: Bool
  ) throws {
    let models = ModelPair(
      from: try .of(
        .init(
          "Note",
          [.optional("body"), .required("stars", .integer16)],
          [.toOne("folder", "Folder")]
        ),
        .init("Folder", [.required("name"), .optional("stars", .integer16)])
      ),
      to: try .of(EntityDescription("Note", [.required("body")]))
    )
    #expect(try advice(value, of: "body", between: models, "it is required") == (isTold ? 1 : 0))
  }

  @Test(
    arguments: [
      ("CAST($source.text, 'NSNumber')", true), ("1 + CAST($source.text, 'NSNumber')", true),
      ("TERNARY($source.text MATCHES '[0-9]+', CAST($source.text, 'NSNumber'), 0)", false),
      ("TERNARY(NOT $source.text MATCHES '[0-9]+', 0, CAST($source.text, 'NSNumber'))", false),
      (
        "TERNARY($source.text MATCHES '[0-9]+' AND CAST($source.text, 'NSNumber') > 1, 1, 0)", false
      ),
      ("TERNARY(CAST($source.text, 'NSNumber') > 1 AND $source.text MATCHES '[0-9]+', 1, 0)", true),
      ("TERNARY($source.other MATCHES '[0-9]+', CAST($source.text, 'NSNumber'), 0)", true),
      ("CAST($source.number, 'NSNumber')", false), ("CAST('12', 'NSNumber')", false),
      ("CAST(TERNARY($source.number > 1, '1', '2'), 'NSNumber')", false),
    ] as [(String, Bool)]
  )
  func `a CAST of any text is told, unless a condition says how the text looks`(
    value: String,
    isTold: Bool
  ) throws {
    let texts = [
      AttributeDescription.required("text"), .required("other"), .required("number", .integer32),
    ]
    let models = ModelPair(
      from: try .of(EntityDescription("Note", texts)),
      to: try .of(EntityDescription("Note", [.optional("stars", .integer64)]))
    )
    let reason = "a text of another form fails its row"
    #expect(try advice(value, of: "stars", between: models, reason) == (isTold ? 1 : 0))
    let filter = #""filter": "text MATCHES '[0-9]+'", "#
    #expect(try advice(value, of: "stars", between: models, reason, filter) == 0)
  }

  @Test func `a value that no store holds is told, with its unknown names`() throws {
    let lower = try ValueExpression(format: "lowercase:(body)")
    let models = ModelPair(
      from: try .of(EntityDescription("Note", [.optional("body")])),
      to: try .of(EntityDescription("Note", [.optional("body"), .derived("low", .string, lower)]))
    )
    let reason = "it is derived, so the value is not used"
    #expect(try advice("$source.body", of: "low", between: models, reason) == 1)
    let text =
      #"{ "source": "Note", "destination": "Note", "attributes": { "low": "$source.nope" } }"#
    #expect(
      try notes.read(notes.file(text)).findings(between: models).contains {
        $0.severity == .error && $0.reason.hasPrefix("entity Note has no property nope")
      }
    )
  }

  @Test func `what is read beside the length of an element is not lost`() throws {
    let models = ModelPair(
      from: try .of(.init("Note", [.required("tags"), .required("weight", .integer32)])),
      to: try .of(EntityDescription("Tag", [.optional("size", .integer64)]))
    )
    let text =
      #"{ "source": "Note", "destination": "Tag", "forEach": "FUNCTION($source.tags, 'componentsSeparatedByString:', ',')", "#
      + #""attributes": { "size": "$element.length + $source.weight" } }"#
    let found = try notes.read(notes.file(text)).findings(between: models).map(\.description)
    #expect(found == [])
  }

  /// The number of warnings with a place about a value of Note, whose reason begins so.
  private func advice(
    _ value: String,
    of attribute: String,
    between models: ModelPair,
    _ reason: String,
    _ filter: String = ""
  ) throws -> Int {
    let text =
      #"{ "source": "Note", "destination": "Note", \#(filter)"attributes": { "\#(attribute)": "\#(value)" } }"#
    return try notes.read(notes.file(text)).findings(between: models).count {
      $0.reason.hasPrefix(reason) && $0.severity == .warning && $0.column != nil
    }
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

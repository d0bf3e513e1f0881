import BulkTestSupport
import Testing

/// Expectations as mapping files write them, over notes with attachments.
struct ExpectationFaultTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private func mapping(_ expectation: String) -> String {
    notes.file(#"{ "source": "Note", "destination": "Note" }"#)
      .replacing("\"entityMappings\"", with: "\"expect\": \(expectation),\n\"entityMappings\"")
  }

  @Test(arguments: [
    ("3", "expect: it is a number, not an array of objects"),
    ("[3]", "expect: it is a number, not an object"),
    (#"[{ "key": 1 }]"#, "expect: it names no entity"),
    (#"[{ "entity": "Note" }]"#, "expect Note: it says nothing; add key, count or holds"),
    (#"[{ "entity": "Nota", "key": 1 }]"#, "expect Nota 1: the destination model has no entity"),
    (
      #"[{ "entity": "Note", "count": { "source": "Attachment" } }]"#,
      "expect Note: the source model has no entity Attachment"
    ),
    (#"[{ "entity": "Note", "key": 0 }]"#, "expect, key: it is not a whole number from 1 on"),
    (#"[{ "entity": "Note", "key": 1.5 }]"#, "expect, key: it is not a whole number from 1 on"),
    (#"[{ "entity": "Note", "count": -1 }]"#, "expect, count: it is not a whole number from 0 on"),
    (#"[{ "entity": "Note", "count": {} }]"#, "expect, count: it says nothing"),
    (
      #"[{ "entity": "Note", "count": { "least": 3, "most": 2 } }]"#,
      "expect, count: least is more than most"
    ),
    (
      #"[{ "entity": "Note", "count": { "source": "Note", "most": 2 } }]"#,
      "expect, count, source: source and most exclude each other"
    ),
    (
      #"[{ "entity": "Note", "count": { "least": 2, "where": "headline != nil" } }]"#,
      "expect, count, where: where belongs to source, which is not there"
    ),
    (
      #"[{ "entity": "Note", "holds": "heedline != nil" }]"#,
      "expect Note holds heedline != nil: entity Note has no property heedline; did you mean headline?"
    ),
    (
      #"[{ "entity": "Note", "hold": "headline != nil", "key": 1 }]"#,
      "expect: the entry hold is unknown; did you mean holds?"
    ),
  ])
  func `what cannot be looked for is refused`(expectation: String, expected: String) throws {
    let faults = try notes.faults(mapping(expectation))
    #expect(faults.count == 1, "\(faults)")
    #expect(faults.first?.contains(": " + expected) == true, "\(faults)")
  }

  @Test func `a fault in a predicate has its line and column`() throws {
    let text = #"""
      {
        "bulkmigrate": "mapping/1",
        "expect": [
          { "entity": "Note", "holds": "headline != nil AND heedline == 1" },
          { "entity": "Note", "count": 3 }, { "entity": "Nope", "count": 3 }
        ],
        "entityMappings": [{ "source": "Folder", "destination": "Note" }]
      }
      """#
    let faults = try notes.faults(text)
    #expect(
      faults == [
        "all.json:4:55: expect Note holds headline != nil AND heedline == 1: entity Note has no property "
          + "heedline; did you mean headline?",
        "all.json:5:51: expect Nope: the destination model has no entity Nope; did you mean Note?",
      ]
    )
  }

  @Test func `expectations do not change the mapping model`() throws {
    let text = mapping(#"[{ "entity": "Note", "count": 3 }]"#)
    let bare = notes.file(#"{ "source": "Note", "destination": "Note" }"#)
    #expect(try notes.model(text) == notes.model(bare))
  }
}

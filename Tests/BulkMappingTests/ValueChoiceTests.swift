import BulkTestSupport
import Testing

// Expected values follow from the table of property objects, formats/expressions.md 10.

struct ValueChoiceTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  /// The expression of the attribute that has a property object.
  private func expression(_ property: String, of name: String = "body") throws -> ValueExpression? {
    let file = notes.file(
      #"{ "source": "Note", "destination": "Note", "attributes": { "\#(name)": \#(property) } }"#,
      infer: "none"
    )
    return try notes.model(file).entityMappings[0].attributeMappings[0].valueExpression
  }

  /// What an expression gives for a note, by the values of its keys.
  private func value(
    _ expression: ValueExpression?,
    _ note: [String: AttributeValue]
  ) throws -> AttributeValue {
    let entity = try #require(notes.source.entity(named: "Note"))
    let program = try ExpressionProgram(#require(expression), of: entity, in: notes.source)
    let page = ValuePage(
      keys: [1],
      columns: Dictionary(
        uniqueKeysWithValues: program.inputs.map { input in
          (input, [.attribute(note[input.path[0]] ?? .null)])
        }
      )
    )
    let result = program.evaluate(page, in: RunConstants(now: 0, randomSeed: 0))
    #expect(result.failures == [])
    guard case .attribute(let value) = result.values[0] else { throw NotAValue() }
    return value
  }

  private struct NotAValue: Error {}

  @Test(
    arguments: [
      (#"{ "default": "'none'" }"#, [nil, "x"], ["none", "x"]),
      (#"{ "value": "$source.title", "default": "$source.body" }"#, [nil, "x"], ["t", "t"]),
      (
        #"{ "lookup": { "a": "A", "b": null } }"#, ["a", "b", "c", nil, ""],
        ["A", nil, nil, nil, nil]
      ),
      (
        #"{ "lookup": { "a": "A", "b": null }, "default": "'?'" }"#, ["a", "b", "c", nil],
        ["A", "?", "?", "?"]
      ),
      (
        #"{ "lookup": { "a": "A", "b": null }, "otherwise": "$source.body" }"#,
        ["a", "b", "c", nil], ["A", nil, "c", nil]
      ),
      (
        #"{ "lookup": { "a": "A" }, "otherwise": "NIL", "default": "'?'" }"#, ["a", "c", nil],
        ["A", "?", "?"]
      ),
      (#"{ "lookup": {}, "default": "'?'" }"#, ["a", nil], ["?", "?"]),
      (#"{ "lookup": {}, "otherwise": "'o'" }"#, ["a", nil], ["o", nil]),
      (
        #"{ "lookup": { "": "empty", "é": "composed" } }"#, ["", "e\u{301}", "é"],
        ["empty", nil, "composed"]
      ),
      (
        #"{ "value": "uppercase($source.body)", "lookup": { "A": "x", "B": "y", "C": null },"#
          + #" "default": "'?'" }"#,
        ["a", "b", "c", "d", nil], ["x", "y", "?", "?", "?"]
      ),
    ] as [(String, [String?], [String?])]
  )
  func `a text is looked up, and nil is replaced`(
    property: String,
    bodies: [String?],
    expected: [String?]
  ) throws {
    let expression = try expression(property)
    let values = try bodies.map {
      try value(expression, ["body": $0.map { .string($0) } ?? .null, "title": "t"])
    }
    #expect(values == expected.map { $0.map { .string($0) } ?? .null })
  }

  @Test func `a number is looked up as it is written, and becomes what JSON has`() throws {
    let expression = try expression(
      #"{ "value": "$source.displayIndex", "lookup": { "0": 5, "1": 2.5, "-7": true } }"#,
      of: "stars"
    )
    let values = try [0, 1, -7, 2].map { try value(expression, ["displayIndex": .integer($0)]) }
    #expect(values == [.integer(5), .double(2.5), .boolean(true), .null])
  }

  @Test(arguments: ["$source.body", "uppercase($source.body)"])
  func `every entry of a long table is found`(text: String) throws {
    let entries = (0..<1000).map { #""K\#($0)": "v\#($0)""# }.joined(separator: ", ")
    let expression = try expression(#"{ "value": "\#(text)", "lookup": { \#(entries) } }"#)
    let values = try [0, 1, 9, 10, 499, 500, 998, 999, 1000].map {
      try value(expression, ["body": .string("K\($0)")])
    }
    let expected = [0, 1, 9, 10, 499, 500, 998, 999].map { AttributeValue.string("v\($0)") }
    #expect(values == expected + [.null])
  }

  @Test func `what a table becomes is written and read again`() throws {
    let file = notes.file(
      #"""
      { "source": "Note", "destination": "Note", "attributes": { "body": {
          "lookup": { "a": "A", "b": "B", "c": null }, "otherwise": "$source.title",
          "default": "'none'" } } }
      """#,
      infer: "none"
    )
    let model = try notes.model(file)
    #expect(
      model.entityMappings[0].attributeMappings[0].valueExpression?.description
        == #"TERNARY(CAST($source.body, "NSString") IN {"a", "b", "c"}, "#
        + #"TERNARY(CAST($source.body, "NSString") == "a", "A", "#
        + #"TERNARY(CAST($source.body, "NSString") == "b", "B", "none")), "#
        + #"TERNARY($source.body == nil, "none", TERNARY($source.title == nil, "none", $source.title)))"#
    )
    #expect(try notes.model(model.json, named: "again.json") == model)
  }

  @Test(
    arguments: [
      (
        #""body": { "value": null, "default": "'x'" }"#,
        "96: body: its value is null, so that it keeps "
          + "the model's default value"
      ),
      (
        #""body": { "otherwise": "'x'" }"#,
        "83: body, otherwise: otherwise belongs to lookup, which is not there"
      ),
      (#""stars": { "default": 1 }"#, "60: stars: it has no value, and the source entity Note"),
      (#""body": { "lookup": { "a": [] } }"#, "87: body, lookup a: it is an array, not a text"),
      (
        #""body": { "lookup": [], "default": null }"#,
        "80: body, lookup: it is an array, not an "
          + "object | 95: body, default: it is null"
      ),
      (
        #""body": { "value": "$source.body", "default": "$source.titel" }"#,
        "115: body: entity Note has no property titel; did you mean title?"
      ),
      (#""body": { "lokup": {} }"#, "70: body: the entry lokup is unknown; did you mean lookup?"),
      (#""body": { "lookup": { "a": "x", "a": "y" } }"#, "92: the entry a appears twice"),
    ]
  )
  func `a fault in a property object is told`(property: String, expected: String) throws {
    let faults = try notes.faults(
      notes.file(
        #"{ "source": "Note", "destination": "Note", "attributes": { \#(property) } }"#,
        infer: "none"
      )
    )
    let found = faults.joined(separator: " | ").replacing("all.json:2:", with: "")
      .replacing("entity mapping NoteToNote, attribute ", with: "")
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test func `a relationship has no table`() throws {
    let faults = try notes.faults(
      notes.file(
        #"{ "source": "Note", "destination": "Note", "relationships": { "folder": { "default": 1 } } }"#,
        infer: "none"
      )
    )
    #expect(faults.first?.contains("relationship folder: the entry default is unknown") == true)
  }
}

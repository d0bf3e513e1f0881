import BulkTestSupport
import Testing

struct MappingFaultTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  @Test func `every fault is told at once, with its line and column`() throws {
    let faults = try notes.faults(
      #"""
      {
        "bulkmigrate": "mapping/1",
        "infer": "none",
        "entityMappings": [
          {
            "name": "N",
            "source": "Note",
            "destination": "Attachment",
            "filter": "image != nil AND",
            "attributes": {
              "capton": "$source.title",
              "image": "$source.folder.nam",
              "caption": "$source.\"é\" + "
            },
            "relationships": {
              "note": "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"M\", $source)"
            }
          },
          { "sorce": "Note", "destination": "Not", "type": "rename" },
          { "name": "N", "source": "Folder", "destination": "Folder", "attributes": { "name": "?" } }
        ]
      }
      """#
    )
    #expect(
      faults == [
        "all.json:9:34: entity mapping N, filter: found the end, expected a value",
        "all.json:11:9: entity mapping N, attribute capton: Attachment has no such attribute; did you "
          + "mean caption?",
        "all.json:12:34: entity mapping N, attribute image: entity Folder has no property nam; did you "
          + "mean name?",
        "all.json:13:29: entity mapping N, attribute caption: found '\"é\"', expected a key",
        "all.json:16:103: entity mapping N, relationship note: there is no entity mapping M; did you "
          + "mean N?",
        "all.json:19:7: an entity mapping: the entry sorce is unknown; did you mean source?",
        "all.json:19:39: entity mapping Not: the destination model has no entity Not; did you mean "
          + "Note?",
        "all.json:19:54: entity mapping Not, type: only custom, add, remove, copy and transform "
          + "are known",
        "all.json:20:15: entity mapping N: another entity mapping has this name; give it one",
        "all.json:20:89: entity mapping N, attribute name: it still has the question mark of the "
          + "starter; write an expression, or null for the model's default value",
      ]
    )
  }

  private func expectFault(_ expected: String, of mapping: String) throws {
    let faults = try notes.faults(notes.file(mapping, infer: "none"))
    #expect(faults.count == 1)
    #expect(faults.first?.contains(": " + expected) == true, "\(faults)")
  }

  @Test(arguments: [
    (#"{ "source": "Note" , "type": "add" }"#, "its type is add, but it has a source"),
    (#"{ "destination": "Note" , "type": "copy" }"#, "its type is copy, but it lacks a source"),
    (
      #"{ "source": "Note", "destination": "Note", "type": "remove" }"#,
      "its type is remove, but it has a destination"
    ),
    (
      #"{ "source": "Note", "destination": "Note", "type": "custom" }"#,
      "its type is custom, but it names no policy"
    ),
    (#"{ "name": "X" }"#, "it names neither a source nor a destination"),
    (#"{ "destination": "Note", "filter": "a == 1" }"#, "there is no source whose objects"),
    (
      #"{ "source": "Note", "attributes": { "a": 1 } }"#,
      "it has no destination whose a it could give a value"
    ),
    (
      #"{ "source": "Note", "destination": "Note", "filter": "$source.title == nil" }"#,
      "a filter knows no variables; write the key alone"
    ),
    (
      #"{ "source": "Note", "destination": "Note", "attributes": [] }"#,
      "it is an array, not an object"
    ),
    (#"{ "source": 3, "destination": "Note" }"#, "it is a number, not a text"),
    (#"{ "source": "", "destination": "Note" }"#, "it is empty, not a text"),
    (#"7"#, "it is a number, not an object"),
  ])
  func `an entity mapping that contradicts itself is refused`(
    mapping: String,
    expected: String
  ) throws {
    try expectFault(expected, of: mapping)
  }

  @Test(arguments: [
    (
      #""stars": "$source.folder""#,
      "attribute stars is Integer 16 and cannot take an object of Folder; ask for one of its keys"
    ),
    (#""stars": "\"three\"""#, "attribute stars is Integer 16 and cannot take a string; use CAST"),
    (#""stars": 40000"#, "40000 does not fit into stars, which is Integer 16"),
    (#""body": 3"#, "attribute body is String and cannot take an integer; use CAST"),
    (#""stars": 123456789012345678901"#, "123456789012345678901 does not fit into 64 bits"),
    (#""stars": []"#, "it is an array, not an expression"),
    (#""body": "$sorce.title""#, "nothing gives $sorce a value; did you mean $source?"),
    (#""body": "$source.title.size""#, "size is read from a string, which has no such key"),
    (
      #""body": "$source.folder.notes.@cout""#,
      "unknown collection operator @cout; did you mean @count?"
    ),
    (#""body": { "valu": 1 }"#, "the entry valu is unknown; did you mean value?"),
    (
      #""body": { "value": null, "userInfo": { "x": [] } }"#,
      "it is not a value: write a text, a number, true, false, null, or an object of one entry date "
        + "(seconds since 2001), decimal, data (base 64), uuid or uri"
    ),
  ])
  func `a value that cannot be right is refused`(attribute: String, expected: String) throws {
    try expectFault(
      expected,
      of: #"{ "source": "Note", "destination": "Note", "attributes": { \#(attribute) } }"#
    )
  }

  @Test(arguments: [
    (#""$source.title""#, "it gives no destination objects; write FUNCTION($manager, "),
    (#"3"#, "it gives no destination objects; write FUNCTION($manager, "),
    (#""$source.folder""#, "it gives no destination objects; write FUNCTION($manager, "),
    (
      #""FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'foldr', $source.folder)""#,
      "the source entity Note has no relationship foldr; did you mean folder?"
    ),
    (
      #""FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source.title)""#,
      "title is an attribute and leads to no objects"
    ),
  ])
  func `a relationship's value that cannot be right is refused`(
    value: String,
    expected: String
  ) throws {
    try expectFault(
      expected,
      of: #"{ "source": "Note", "destination": "Note", "relationships": { "folder": \#(value) } }"#
    )
  }

  @Test(arguments: [
    ("{}", "1:1: its entry bulkmigrate should be \"mapping/1\""),
    ("[]", "1:1: it is an array, not an object"),
    (#"{ "bulkmigrate": "mapping/2" }"#, "1:18: its entry bulkmigrate should be \"mapping/1\""),
    (#"{ "bulkmigrate": "mapping/1", "infer": "all" }"#, "1:40: infer: only unmentioned and none"),
    (#"{ "bulkmigrate": "mapping/1", "bulkmigrate": 1 }"#, "1:31: the entry bulkmigrate appears"),
    (
      #"{ "bulkmigrate": "mapping/1", "source": { "stroe": "x" } }"#,
      "1:43: source: the entry stroe is unknown; did you mean store?"
    ),
    (
      #"{ "bulkmigrate": "mapping/1", "entityMappings": [], "mapping": "x.cdm" }"#,
      "1:49: entityMappings: entityMappings and mapping exclude each other"
    ),
    (
      #"{ "bulkmigrate": "mapping/1", "entityMappings": {} }"#,
      "1:49: entityMappings: it is an object, not an array of objects"
    ),
    ("{", "1:2: it is not JSON: expected a name in quotation marks, found the end"),
  ])
  func `a file that contradicts its format is refused`(text: String, expected: String) throws {
    let faults = try notes.faults(text)
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix("all.json:" + expected) == true, "\(faults)")
  }

  @Test func `only the inferred entities are held to the rules of inference`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("A", [.optional("x")]),
      EntityDescription("B", [.optional("y")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("A", [.optional("x", .integer16)]),
      EntityDescription("B", [.optional("y"), .required("z")])
    )
    let file = try notes.read(
      notes.file(#"{ "source": "A", "destination": "A", "attributes": { "x": 1 } }"#)
    )
    let text = failure { try file.mappingModel(between: ModelPair(from: source, to: destination)) }
    #expect(
      text.hasSuffix(
        "all.json: entity B, property z: no entity mapping is written for it, and none can be "
          + "inferred: it is new and required but has no default value for the objects that are "
          + "there; make it optional or give it one"
      )
    )
  }

  @Test func `a wrong name does not make other names wrong`() throws {
    let faults = try notes.faults(
      notes.file(
        #"""
        { "source": "Note", "destination": "Nte" },
        { "source": "Note", "destination": "Attachment", "relationships":
          { "note": "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source)" } }
        """#
      )
    )
    #expect(
      faults == [
        "all.json:2:36: entity mapping NoteToNte: the destination model has no entity Nte; did you "
          + "mean Note?"
      ]
    )
  }

  @Test func `every unknown name of an expression is told at once`() throws {
    let file = notes.file(
      #"""
      { "source": "Note", "destination": "Note", "filter": "titel == 'x' AND folder.nam != nil",
        "attributes": {
          "body": "FUNCTION($source.titel, 'stringByAppendingString:', $sorce.title.length)",
          "stars": "TERNARY($source.folder.nam.length == 1, $source.strs.@cout + 1, $source.title.size)",
          "headline": "CAST($source.title, 'NSStrng')" } }
      """#,
      infer: "none"
    )
    let names = [
      "2:55: filter: entity Note has no property titel; did you mean title?",
      "2:79: filter: entity Folder has no property nam; did you mean name?",
      "4:31: body: entity Note has no property titel; did you mean title?",
      "4:66: body: nothing gives $sorce a value; did you mean $source?",
      "5:38: stars: entity Folder has no property nam; did you mean name?",
      "5:63: stars: entity Note has no property strs",
      "5:93: stars: size is read from a string, which has no such key",
    ]
    let begin = "all.json:"
    let faults = try notes.faults(file).map {
      String($0.dropFirst(begin.count))
        .replacing("entity mapping NoteToNote, ", with: "").replacing("attribute ", with: "")
    }
    let cast = "6:39: headline: CAST knows no type NSStrng; did you mean NSString?"
    #expect(faults == names + [cast])
    // A mapping model is made without its values being evaluated, but of names that are known.
    #expect(failure { try notes.model(file) }.split(separator: "\n").count == names.count)
  }

  @Test func `names behind a function or a type that is not known are told as well`() throws {
    let file = notes.file(
      #"""
      { "source": "Note", "destination": "Note", "attributes": {
          "headline": "TERNARY($source.titel == nil, CAST($source.boddy, 'NSStrng'), $sorce.title)",
          "body": "FUNCTION(FUNCTION($source.titel, 'upperCaseString'), 'hasPrefx:', $source.strs)",
          "stars": "FUNCTION(CAST('NSString', 'Class'), 'stringWthString:', $source.strs)" } }
      """#,
      infer: "none"
    )
    let begin = "all.json:"
    let faults = try notes.faults(file).map {
      String($0.dropFirst(begin.count))
        .replacing("entity mapping NoteToNote, attribute ", with: "")
    }
    let names = [
      "3:34: headline: entity Note has no property titel; did you mean title?",
      "3:61: headline: entity Note has no property boddy; did you mean body?",
      "3:80: headline: nothing gives $sorce a value; did you mean $source?",
      "4:40: body: entity Note has no property titel; did you mean title?",
      "4:88: body: entity Note has no property strs",
      "5:79: stars: entity Note has no property strs",
    ]
    let others = [
      "3:69: headline: CAST knows no type NSStrng; did you mean NSString?",
      "4:48: body: upperCaseString cannot be called; did you mean uppercaseString?",
      "4:68: body: hasPrefx: cannot be called; did you mean hasPrefix:?",
      "5:52: stars: stringWthString: cannot be called; did you mean stringWithString:?",
    ]
    #expect(faults == (names + others).sorted())
    #expect(failure { try notes.model(file) }.split(separator: "\n").count == names.count)
  }

  @Test(arguments: ["upperCaseString", "uppercaseString", "hasPrefx:"])
  func `the time for names is in proportion to the calls around them`(selector: String) throws {
    let call = selector.hasSuffix(":") ? ", 1)" : ")"
    let value =
      String(repeating: "FUNCTION(", count: 60) + "$source.stars"
      + String(repeating: ", '\(selector)'\(call)", count: 60)
    let faults = try notes.faults(
      notes.file(
        #"{ "source": "Note", "destination": "Note", "attributes": { "body": "\#(value)" } }"#,
        infer: "none"
      )
    )
    #expect(!faults.isEmpty)
  }

  @Test func `a mapping model has values that only a policy can compute`() throws {
    let model = try notes.model(
      notes.file(
        #"""
        { "source": "Note", "destination": "Note", "attributes": { "stars": "$source.title" },
          "relationships": { "folder": "FUNCTION($entityPolicy, 'folderOf:', $source.folder)" } }
        """#,
        infer: "none"
      )
    )
    #expect(model.entityMappings[0].attributeMappings[0].valueExpression != nil)
  }

  @Test func `a file that is not there is told`() {
    let text = failure { try MappingFile.read("/nowhere/all.json") }
    #expect(text == "the mapping /nowhere/all.json cannot be read: the file does not exist")
  }

  @Test func `many faults are told up to a limit`() throws {
    let properties = (0..<1500).map { "\"p\($0)\": 1" }.joined(separator: ",")
    let faults = try notes.faults(
      notes.file(#"{ "source": "Note", "destination": "Note", "attributes": { \#(properties) } }"#)
    )
    #expect(faults.count == 201)
    #expect(faults.last == "all.json: and 800 faults more")
  }
}

import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkTestSupport
import BulkVersions
import Foundation
import Testing

/// Transformable attributes between which values go, and those of which bytes are copied.
@Suite("Transformers")
struct TransformerTests {
  /// A refusal of a transformer.
  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Bytes as a text of hexadecimal digits; nothing begins with 255.
  private struct Digits: AttributeTransformer {
    func value(of bytes: [UInt8]) throws -> AttributeValue {
      guard bytes.first != 255 else { throw Refusal(description: "255 begins no picture") }
      return .string(bytes.map { String($0, radix: 16) }.joined(separator: " "))
    }

    func bytes(of value: AttributeValue) throws -> [UInt8] {
      guard case .string(let text) = value else { throw Refusal(description: "it is no text") }
      return text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
  }

  /// A text behind a byte 7, and a number as one byte.
  private struct Marked: AttributeTransformer {
    func value(of bytes: [UInt8]) throws -> AttributeValue { .integer(Int64(bytes.count)) }

    func bytes(of value: AttributeValue) throws -> [UInt8] {
      switch value {
      case .string(let text): [7] + Array(text.utf8)
      case .integer(let number): [UInt8(truncatingIfNeeded: number)]
      case .null, .boolean, .double, .decimal, .date, .binary, .uuid, .uri: []
      }
    }
  }

  private static let both: [String: any AttributeTransformer] = [
    "Digits": Digits(), "Notes.Marked": Marked(),
  ]

  private static func picture(_ name: String?) -> AttributeDescription {
    var result = AttributeDescription.optional("picture", .transformable)
    result.valueTransformerName = name
    return result
  }

  private static func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes))
  }

  private static func notes(_ transformer: String? = "Digits") throws -> TestStore {
    TestStore(
      try model(.optional("title"), .optional("rank", .integer64), picture(transformer)),
      TestObject("Note", 1, ["title": "a", "rank": 5, "picture": .binary([1, 171])]),
      TestObject("Note", 2, ["title": "b", "picture": .binary([255, 2])]),
      TestObject("Note", 3)
    )
  }

  /// Plans for a program with some transformers.
  private func plan(
    _ store: TestStore,
    to model: ManagedObjectModel,
    _ transformers: [String: any AttributeTransformer],
    by mappings: EntityMapping...
  ) throws -> Planned {
    var request = PlanRequest()
    let known = TransformerRegistry(transformers)
    request.knowsTransformer = { known.plugIn(named: $0) != nil }
    return try Planned(store, to: model, by: mappings, request)
  }

  private func run(
    _ planned: Planned,
    _ transformers: [String: any AttributeTransformer],
    policies: [String: any EntityMigrationPolicy] = [:],
    _ rejects: RejectPolicy = RejectPolicy()
  ) throws -> StoreFile {
    var migration = Migration(inTestProcess: planned.plan)
    migration.policies = PolicyRegistry(policies, transformers: transformers)
    migration.rejects = rejects
    do {
      _ = try migration.run()
    } catch {
      throw ErrorText("\(error)".replacing(planned.directory.path, with: "DIR"))
    }
    return StoreFile(planned.plan.destination.store, keeping: planned.directory)
  }

  @Test func `a value goes from one transformer to the other`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(Self.picture("Marked")),
      Self.both,
      by: .of("Note", "Note", where: "title != 'b'", ["picture": "$source.picture"])
    )
    #expect(
      planned.plan.warnings == [
        "entity mapping NoteToNote, attribute picture: transformer Digits may refuse a value",
        "entity mapping NoteToNote, attribute picture: transformer Marked may refuse a value",
      ]
    )
    #expect(planned.plan.mapping.transformers == ["Digits", "Marked"])
    let store = try run(planned, Self.both)
    // 7, "1 ab".
    #expect(
      try store.rows(of: "ZNOTE", "Z_PK", "ZPICTURE") == [[1, [7, 49, 32, 97, 98]], [3, nil]]
    )
  }

  @Test func `bytes are copied where the program lacks a transformer, and the plan warns`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(Self.picture("Marked")),
      ["Digits": Digits()],
      by: .of("Note", "Note", ["picture": "$source.picture"])
    )
    #expect(
      planned.plan.warnings == [
        "transformer Digits wrote the bytes of NoteToNote.picture, and Marked is to read them; they are copied as "
          + "they are; a program that has both transformers converts them"
      ]
    )
    #expect(planned.plan.mapping.transformers == nil)
    // What the plan says counts, whatever the program that runs it has.
    let store = try run(planned, Self.both)
    #expect(
      try store.rows(of: "ZNOTE", "Z_PK", "ZPICTURE") == [
        [1, [1, 171]], [2, [255, 2]], [3, nil],
      ]
    )
  }

  @Test(arguments: [
    (nil, "NSSecureUnarchiveFromData"), ("NSKeyedUnarchiveFromData", ""), ("Digits", "Digits"),
  ])
  func `transformers of one form are not warned of`(source: String?, destination: String) throws {
    let planned = try plan(
      Self.notes(source),
      to: Self.model(Self.picture(destination)),
      [:],
      by: .of("Note", "Note", ["picture": "$source.picture"])
    )
    #expect(planned.plan.warnings.isEmpty)
  }

  @Test func `an inferred mapping copies bytes as Core Data does, and the plan warns`() throws {
    let planned = try BulkExecuteTests.plan(
      Self.notes(),
      to: Self.model(.optional("title"), .optional("more"), Self.picture(nil))
    )
    #expect(
      planned.plan.warnings == [
        "transformer Digits wrote the bytes of IEM_Transform_Note.picture, and NSSecureUnarchiveFromData is to read "
          + "them; they are copied as they are, as Core Data does without a mapping model"
      ]
    )
  }

  @Test func `a transformer makes a value of another type, or fails for the row`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(.optional("text")),
      Self.both,
      by: .of("Note", "Note", ["text": "$source.picture"])
    )
    let failure = #expect(throws: ErrorText.self) { try run(planned, Self.both) }
    #expect(
      failure?.text == """
        1 value cannot be computed; no destination was made:
          NoteToNote.text: its expression fails for 1 object
            key 2, from Note 2: transformer Digits: 255 begins no picture
        all of them are in DIR/destination.sqlite.bulkmigrate/violations.jsonl
        """
    )
  }

  @Test func `an object that a transformer refuses is left out`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(.optional("text")),
      Self.both,
      by: .of("Note", "Note", ["text": "$source.picture"])
    )
    let store = try run(planned, Self.both, RejectPolicy(.quarantine))
    #expect(try store.rows(of: "ZNOTE", "Z_PK", "ZTEXT") == [[1, "1 ab"], [3, nil]])
  }

  @Test func `a value of another type than the attribute's fails for the row`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(.optional("count", .integer64)),
      Self.both,
      by: .of("Note", "Note", where: "title = 'a'", ["count": "$source.picture"])
    )
    let failure = #expect(throws: ErrorText.self) { try run(planned, Self.both) }
    #expect(
      failure?.text.contains(
        "key 1, from Note 1: count is Integer 64 and cannot take a string"
      ) == true
    )
  }

  @Test func `a transformer makes bytes of values`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(Self.picture("Notes.Marked")),
      Self.both,
      by: .of("Note", "Note", ["picture": "$source.rank"])
    )
    #expect(
      try run(planned, Self.both).rows(of: "ZNOTE", "Z_PK", "ZPICTURE")
        == [[1, [5]], [2, nil], [3, nil]]
    )
  }

  @Test func `expressions and filters ask transformers`() throws {
    func message(_ selector: String, to name: String, _ value: String) -> String {
      "FUNCTION(FUNCTION(CAST('NSValueTransformer', 'Class'), 'valueTransformerForName:', '\(name)'), "
        + "'\(selector)', \(value))"
    }
    let planned = try plan(
      Self.notes(),
      to: Self.model(.optional("text"), .optional("data", .binaryData)),
      Self.both,
      by: .of(
        "Note",
        "Note",
        where: message("reverseTransformedValue:", to: "Marked", "picture")
          + " = 2 AND title = 'a'",
        [
          "text":
            "uppercase:(CAST(\(message("reverseTransformedValue:", to: "Digits", "$source.picture")), 'NSString'))",
          "data": message("transformedValue:", to: "Marked", "$source.title"),
        ]
      )
    )
    #expect(
      try run(planned, Self.both).rows(of: "ZNOTE", "Z_PK", "ZTEXT", "ZDATA")
        == [[1, "1 AB", [7, 97]]]
    )
  }

  @Test func `a plan is refused where a transformer is needed and missing`() throws {
    let failure = #expect(throws: PlanError.self) {
      try plan(
        Self.notes(),
        to: Self.model(.optional("text")),
        ["Marked": Marked()],
        by: .of("Note", "Note", ["text": "$source.picture"])
      )
    }
    #expect(
      failure?.description == """
        entity mapping NoteToNote, text, needs transformer Digits, which this program does not have
        name a program for a policy with --policy NAME='command', which mapping --init-policy begins, or build an executable that hands its policies to BulkMigrateCommand.main(policies:transformers:)
        """
    )
  }

  @Test func `a plan is run only by a program with its transformers`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(Self.picture("Marked")),
      Self.both,
      by: .of("Note", "Note", ["picture": "$source.picture"])
    )
    let failure = #expect(throws: ErrorText.self) { try run(planned, ["Digits": Digits()]) }
    #expect(
      failure?.text == """
        there is no transformer Marked, which entity mapping NoteToNote, picture, needs; known are Digits; \
        no destination was made
        """
    )
  }

  @Test(arguments: [
    (
      "FUNCTION(FUNCTION(CAST('NSValueTransformer', 'Class'), 'valueTransformerForName:', $source.title), "
        + "'transformedValue:', $source.rank)",
      "attribute text: valueTransformerForName: takes a constant string, not a string"
    ),
    (
      "FUNCTION(FUNCTION(CAST('NSValueTransformer', 'Class'), 'valueTransformerForName:', 'Digits'), "
        + "'transformValue:', $source.rank)",
      "attribute text: transformValue: cannot be called; did you mean transformedValue:?"
    ),
    (
      "FUNCTION(FUNCTION(CAST('NSValueTransformer', 'Class'), 'valueTransformerForName:', 'Digits'), "
        + "'reverseTransformedValue:', $source.title)",
      "attribute text: reverseTransformedValue: takes bytes, not a string"
    ),
  ])
  func `a message that no transformer answers is refused`(text: String, reason: String) throws {
    let failure = #expect(throws: PlanError.self) {
      try plan(
        Self.notes(),
        to: Self.model(.optional("text")),
        Self.both,
        by: .of("Note", "Note", ["text": text])
      )
    }
    #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
  }

  /// Reads a picture by its transformer.
  private struct Reading: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      var note = try manager.evaluate(mapping, forSource: source)
      if case .binary(let bytes) = try source["picture"], bytes.count == 2, bytes[0] == 1 {
        let value = try manager.transformer(named: "Digits").value(of: bytes)
        try note.setValue(value, forKey: "text")
      }
      try manager.insert(note, forSource: source, in: mapping)
    }
  }

  @Test func `a policy asks transformers`() throws {
    let planned = try plan(
      Self.notes(),
      to: Self.model(.optional("text")),
      Self.both,
      by: .of("Note", "Note", policy: "Reading")
    )
    #expect(
      try run(planned, Self.both, policies: ["Reading": Reading()])
        .rows(of: "ZNOTE", "Z_PK", "ZTEXT") == [[1, "1 ab"], [2, nil], [3, nil]]
    )
  }
}

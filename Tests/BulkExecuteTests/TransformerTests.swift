import BulkTestSupport
import Testing

/// Transformable attributes between which values go, and those of which bytes are copied.
struct TransformerTests {
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
      guard case .string(let text) = value else { throw Refusal(description: "it is not a text") }
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

  private func plan(
    _ attributes: AttributeDescription...,
    from source: String? = "Digits",
    knowing transformers: [String: any AttributeTransformer] = both,
    by mapping: EntityMapping
  ) throws -> Planned {
    var request = PlanRequest()
    let known = TransformerRegistry(transformers)
    request.knowsTransformer = { known.plugIn(named: $0) != nil }
    let model = try ManagedObjectModel.of(EntityDescription("Note", attributes))
    return try Planned(Self.notes(source), to: model, by: [mapping], request)
  }

  private func made(
    _ planned: Planned,
    policies: [String: any EntityMigrationPolicy] = [:],
    _ rejects: RejectPolicy = RejectPolicy()
  ) throws -> StoreFile {
    try planned.make {
      $0.policies = PolicyRegistry(policies, transformers: Self.both)
      $0.rejects = rejects
    }
  }

  private func failure(
    of planned: Planned,
    _ transformers: [String: any AttributeTransformer] = both
  ) -> String {
    BulkExecuteTests.failure(of: planned) {
      $0.policies = PolicyRegistry(transformers: transformers)
    }
  }

  @Test func `another transformer is refused, unless a policy converts`() throws {
    let failure = #expect(throws: PlanError.self) {
      try plan(Self.picture("Marked"), by: .of("Note", "Note", ["picture": "$source.picture"]))
    }
    #expect(
      failure?.description.contains(
        "entity mapping NoteToNote, attribute picture: transformer Digits wrote the bytes, and Marked is to "
          + "read them; give the entity mapping a policy that converts them"
      ) == true,
      "\(failure?.description ?? "")"
    )
    let planned = try plan(
      Self.picture("Marked"),
      by: .of("Note", "Note", policy: "Converting", ["picture": "$source.picture"])
    )
    #expect(!planned.plan.warnings.contains { $0.contains("transformer") })
  }

  @Test(arguments: [
    (nil, "NSSecureUnarchiveFromData"), ("NSKeyedUnarchiveFromData", ""), ("Digits", "Digits"),
  ])
  func `transformers of one form are not warned of`(source: String?, destination: String) throws {
    let planned = try plan(
      Self.picture(destination),
      from: source,
      knowing: [:],
      by: .of("Note", "Note", ["picture": "$source.picture"])
    )
    #expect(!planned.plan.warnings.contains { $0.contains("transformer") })
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
      .optional("text"),
      by: .of("Note", "Note", ["text": "$source.picture"])
    )
    #expect(
      failure(of: planned).contains(
        """
          NoteToNote.text: its expression fails for 1 object
            key 2, from Note 2: transformer Digits: 255 begins no picture
        """
      )
    )
    let store = try made(planned, RejectPolicy(.quarantine))
    #expect(try store.rows(of: "ZNOTE", "Z_PK", "ZTEXT") == [[1, "1 ab"], [3, nil]])
  }

  @Test func `a value of another type than the attribute's fails for the row`() throws {
    let planned = try plan(
      .optional("count", .integer64),
      by: .of("Note", "Note", where: "title = 'a'", ["count": "$source.picture"])
    )
    #expect(
      failure(of: planned).contains(
        "key 1, from Note 1: count is Integer 64 and cannot take a string"
      )
    )
  }

  @Test func `a transformer makes bytes of values`() throws {
    let planned = try plan(
      Self.picture("Notes.Marked"),
      by: .of("Note", "Note", ["picture": "$source.rank"])
    )
    #expect(
      try made(planned).rows(of: "ZNOTE", "Z_PK", "ZPICTURE")
        == [[1, [5]], [2, nil], [3, nil]]
    )
  }

  @Test func `expressions and filters ask transformers`() throws {
    func message(_ selector: String, to name: String, _ value: String) -> String {
      "FUNCTION(FUNCTION(CAST('NSValueTransformer', 'Class'), 'valueTransformerForName:', '\(name)'), "
        + "'\(selector)', \(value))"
    }
    let planned = try plan(
      .optional("text"),
      .optional("data", .binaryData),
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
      try made(planned).rows(of: "ZNOTE", "Z_PK", "ZTEXT", "ZDATA")
        == [[1, "1 AB", [7, 97]]]
    )
  }

  @Test func `a plan is refused where a transformer is needed and missing`() throws {
    let failure = #expect(throws: PlanError.self) {
      try plan(
        .optional("text"),
        knowing: ["Marked": Marked()],
        by: .of("Note", "Note", ["text": "$source.picture"])
      )
    }
    #expect(
      failure?.description == """
        entity mapping NoteToNote, text, needs transformer Digits, which this program does not have
        name a program for a policy with --policy NAME='command', or build an executable that hands its policies to BulkMigrateCommand.main(policies:transformers:)
        """
    )
  }

  @Test func `a plan is run only by a program with its transformers`() throws {
    let planned = try plan(
      .optional("text"),
      by: .of("Note", "Note", ["text": "$source.picture"])
    )
    #expect(
      failure(of: planned, ["Marked": Marked()]) == """
        there is no transformer Digits, which entity mapping NoteToNote, text, needs; known are Marked; \
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
        .optional("text"),
        by: .of("Note", "Note", ["text": text])
      )
    }
    #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
  }

  @Test func `a policy asks transformers`() throws {
    let reading = Making { source, mapping, manager in
      var note = try manager.evaluate(mapping, forSource: source)
      if case .binary(let bytes) = try source["picture"], bytes.count == 2, bytes[0] == 1 {
        let value = try manager.transformer(named: "Digits").value(of: bytes)
        try note.setValue(value, forKey: "text")
      }
      try manager.insert(note, forSource: source, in: mapping)
    }
    let planned = try plan(
      .optional("text"),
      by: .of("Note", "Note", policy: "Reading")
    )
    #expect(
      try made(planned, policies: ["Reading": reading])
        .rows(of: "ZNOTE", "Z_PK", "ZTEXT") == [[1, "1 ab"], [2, nil], [3, nil]]
    )
  }
}

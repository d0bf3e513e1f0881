import BulkTestSupport
import Testing

/// Source objects that give several objects to a relationship of one: formats/migration.md 8.11.
struct SeveralObjectTests {
  private static let tags = instances("TagToTag", "$source.tags")

  /// What the relationship of a note to its tag is in the destination, beside it.
  enum Inverse: CaseIterable {
    case none, toOne, toMany
  }

  /// Note 1 has tags 1 and 2, note 2 has tag 3, note 3 has none.
  private static func planned(
    _ tag: String,
    _ inverse: Inverse = .none,
    _ request: PlanRequest = PlanRequest()
  ) throws -> Planned {
    let store = TestStore(
      try .of(
        .init("Note", [], [.toMany("tags", "Tag.note")]),
        .init("Tag", [], [.toOne("note", "Note.tags")])
      ),
      TestObject("Note", 1, links: ["tags": [1, 2]]),
      TestObject("Note", 2, links: ["tags": [3]]),
      TestObject("Note", 3),
    )
    let end = inverse == .none ? "Tag" : "Tag.notes"
    let back: [RelationshipDescription] =
      switch inverse {
      case .none: []
      case .toOne: [.toOne("notes", "Note.tag")]
      case .toMany: [.toMany("notes", "Note.tag")]
      }
    return try Planned(
      store,
      to: .of(.init("Note", [], [.toOne("tag", end)]), .init("Tag", [], back)),
      by: [.of("Note", "Note", [:], ["tag": tag]), .of("Tag", "Tag")],
      request
    )
  }

  @Test(arguments: Inverse.allCases)
  func `they break a rule, as the plan says, or are left out`(inverse: Inverse) throws {
    let planned = try Self.planned(Self.tags, inverse)
    if inverse == .none {
      #expect(
        planned.plan.warnings == [
          "Note.tag takes one object, but would be given at most 1 more; an object that is given several breaks a rule, "
            + "unless the expression takes the first, by [FIRST] or anyObject"
        ]
      )
    }
    #expect(
      failure(of: planned).contains(
        """
          Note.tag: one object, which [FIRST] or anyObject takes of several: broken by 1 object
            key 1, from Note 1: Tag 1 and Tag 2
        """
      )
    )
    #expect(try planned.run { $0.rejects = RejectPolicy(.quarantine) }.rejected == 1)
    #expect(try planned.made.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[2, 3], [3, nil]])
  }

  @Test(arguments: ["\(tags)[FIRST]", "FUNCTION(\(tags), \"anyObject\")"])
  func `the first is taken where the expression says so`(tag: String) throws {
    let migrated = try migrated(Self.planned(tag))
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[1, 1], [2, 3], [3, nil]]
    )
  }

  @Test func `the first is taken where the plan says so, which names the relationship`() throws {
    var request = PlanRequest()
    request.allowed.insert(.firstOfSeveral)
    let migrated = try migrated(Self.planned(Self.tags, .none, request))
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[1, 1], [2, 3], [3, nil]]
    )
    let note = migrated.plan.passes.flatMap(\.entities).first { $0.entity == "Note" }
    #expect(
      note?.details == [
        "relationship tag = the first of the objects made by TagToTag from $source.tags"
      ]
    )
  }

  // MARK: Several objects made of one

  private static let label =
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"tag\", $source.tag)"

  /// Notes 1 to 3, each with the tag of its key, and labels that are made of tags by two mappings.
  private static func labelled(
    _ low: String?,
    _ high: String?,
    policy: String? = nil,
    notes: String? = nil,
    _ label: String = label,
    request: PlanRequest = PlanRequest()
  ) throws -> Planned {
    let store = TestStore(
      try .of(
        .init("Note", [], [.toOne("tag", "Tag")]),
        .init("Tag", [.optional("rank", .integer64)])
      ),
      TestObject("Note", 1, links: ["tag": [1]]),
      TestObject("Note", 2, links: ["tag": [2]]),
      TestObject("Note", 3, links: ["tag": [3]]),
      TestObject("Tag", 1, ["rank": 1]),
      TestObject("Tag", 2, ["rank": 7]),
      TestObject("Tag", 3, ["rank": 20])
    )
    return try Planned(
      store,
      to: .of(.init("Label"), .init("Note", [], [.toOne("label", "Label")])),
      by: [
        .of("Tag", "Label", named: "Low", where: low),
        .of("Tag", "Label", named: "High", where: high),
        .of("Note", "Note", where: notes, policy: policy, [:], ["label": label]),
      ],
      request
    )
  }

  @Test func `two mappings that take every object are refused by the plan`() throws {
    let text = failure { try Self.labelled(nil, nil) }
    #expect(
      text.contains(
        "entity mapping NoteToNote, relationship label: it leads to one object, but entity mappings Low and High each make "
          + "one of every Tag; name one of them, or write [FIRST] behind the expression"
      )
    )
    let first = try migrated(Self.labelled(nil, nil, Self.label + "[FIRST]"))
    #expect(
      try first.destination.rows(of: "ZNOTE", "Z_PK", "ZLABEL") == [[1, 1], [2, 2], [3, 3]]
    )
  }

  @Test func `two mappings whose filters exclude each other give one object`() throws {
    let migrated = try migrated(Self.labelled("rank < 10", "rank >= 10"))
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZLABEL") == [[1, 1], [2, 2], [3, 6]]
    )
  }

  /// Labels of the second mapping have keys after those of the first.
  @Test func `two mappings whose filters meet give two objects`() throws {
    let text = failure(of: try Self.labelled("rank < 10", "rank > 5"))
    #expect(
      text.contains("broken by 1 object\n    key 2, from Note 2: Label 2 and Label 5\n")
    )
    let first = try migrated(Self.labelled("rank < 10", "rank > 5", Self.label + "[FIRST]"))
    #expect(
      try first.destination.rows(of: "ZNOTE", "Z_PK", "ZLABEL") == [[1, 1], [2, 2], [3, 6]]
    )
  }

  /// One filter is read by SQL, the other is evaluated for each object.
  @Test(arguments: ["tag.rank != 7", "FUNCTION(tag.rank, \"description\") != \"7\""])
  func `a note that the filter leaves out breaks no rule`(notes: String) throws {
    let planned = try Self.labelled("rank < 10", "rank > 5", notes: notes)
    let migrated = try migrated(planned)
    #expect(try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZLABEL") == [[1, 1], [3, 6]])
  }

  private struct Labels: EntityMigrationPolicy {
    func destinationInstances(
      ofFunction selector: String,
      arguments: [AttributeValue],
      forSource source: ObjectID,
      manager: MigrationManager
    ) throws -> [ObjectID] {
      let keys: [Int64] = source.key == 2 ? [2, 5] : [source.key == 3 ? 6 : 1]
      return keys.map { ObjectID(entityName: "Label", key: $0) }
    }
  }

  private static let labels = "FUNCTION($entityPolicy, \"labelsOf:\", $source)"

  @Test(arguments: [(false, "key 2, from Note 2: Label 2 and Label 5\n"), (true, "nothing failed")])
  func `a policy's function gives one object`(takesFirst: Bool, expected: String) throws {
    let label = Self.labels + (takesFirst ? "[FIRST]" : "")
    let planned = try Self.labelled("rank < 10", "rank > 5", policy: "Labels", label)
    #expect(failure(of: planned, policies: ["Labels": Labels()]).contains(expected))
  }

  @Test func `the first that it names is taken where the plan says so`() throws {
    var request = PlanRequest()
    request.allowed.insert(.firstOfSeveral)
    let planned = try Self.labelled(
      "rank < 10",
      "rank > 5",
      policy: "Labels",
      Self.labels,
      request: request
    )
    let note = planned.plan.passes.flatMap(\.entities).first { $0.entity == "Note" }
    #expect(note?.details == ["relationship label = \(Self.labels)[FIRST]"])
    let migrated = try migrated(planned, policies: ["Labels": Labels()])
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZLABEL") == [[1, 1], [2, 2], [3, 6]]
    )
  }
}

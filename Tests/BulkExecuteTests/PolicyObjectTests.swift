import BulkTestSupport
import Testing

/// Objects that policies name: they must exist, and be of the entity to which the relationship leads, as Core Data raises
/// `unacceptable type of value`.
@Suite("Objects of other entities", .tags(.promise25))
struct PolicyObjectTests {
  enum Hook: CaseIterable {
    case creating, relating
  }

  /// Sets the relationship `ad` of a note.
  private static func naming(_ hook: Hook, _ ads: [ObjectID]) -> Making {
    Making { source, mapping, manager in
      var note = try manager.evaluate(mapping, forSource: source)
      if hook == .creating { try note.setObject(ads.first, for: "ad") }
      try manager.insert(note, forSource: source, in: mapping)
    } relating: { note, manager in
      if hook == .relating { try manager.setObjects(ads, for: "ad", of: note) }
    }
  }

  private static let ads = [
    EntityDescription("Ad", [.optional("text")], [.toMany("notes", "Note.ad")]),
    EntityDescription("Banner", under: "Ad"),
    EntityDescription("P", [.optional("text")]),
  ]

  /// Note 1, Ad 5, Banner 7, and P 1; a policy sets the ad of the note.
  private static func note() throws -> Planned {
    let store = TestStore(
      try ManagedObjectModel(
        entities: ads + [EntityDescription("Note", [], [.toOne("ad", "Ad.notes")])]
      ),
      TestObject("Ad", 5),
      TestObject("Banner", 7),
      TestObject("P", 1),
      TestObject("Note", 1)
    )
    return try Planned(
      store,
      to: try ManagedObjectModel(
        entities: ads + [
          EntityDescription("Note", [.optional("new")], [.toOne("ad", "Ad.notes")])
        ]
      ),
      by: [
        .of("Ad", "Ad"), .of("Banner", "Banner"), .of("P", "P"),
        .of("Note", "Note", policy: "Naming"),
      ]
    )
  }

  private static func fault(_ hook: Hook, _ ads: ObjectID...) throws -> String {
    failure(of: try note(), policies: ["Naming": naming(hook, ads)])
  }

  @Test(arguments: Hook.allCases) func `one of another entity is refused`(hook: Hook) throws {
    #expect(
      try Self.fault(hook, ObjectID(entityName: "P", key: 1)).contains(
        "Note 1: relationship ad of Note 1: P 1 is not an object of Ad; no destination was made"
      )
    )
  }

  @Test(arguments: Hook.allCases, [("Ad", 99), ("Banner", 5)] as [(String, Int64)])
  func `one that does not exist is refused`(hook: Hook, object: (name: String, key: Int64)) throws {
    #expect(
      try Self.fault(hook, ObjectID(entityName: object.name, key: object.key)).contains(
        "Note 1: relationship ad of Note 1: \(object.name) \(object.key) does not exist; an object must exist before it "
          + "is named, as all do in createRelationships; no destination was made"
      )
    )
  }

  /// The number of Banner is 2, whichever entity the policy names.
  @Test(arguments: Hook.allCases, ["Ad", "Banner"])
  func `one of a subentity is taken, with its own entity`(hook: Hook, name: String) throws {
    let policy = Self.naming(hook, [ObjectID(entityName: name, key: 7)])
    let migrated = try migrated(Self.note(), policies: ["Naming": policy])
    #expect(try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZAD", "Z1_AD") == [[1, 7, 2]])
  }

  @Test func `several for a relationship of one break the rule of expressions`() throws {
    let (ad, banner) = (ObjectID(entityName: "Ad", key: 5), ObjectID(entityName: "Ad", key: 7))
    #expect(
      try Self.fault(.relating, ad, banner).contains(
        """
          Note.ad: one object, which [FIRST] or anyObject takes of several: broken by 1 object
            key 1, from Note 1: Ad 5 and Banner 7
        """
      )
    )
    #expect(try Self.fault(.relating, ad, ad) == "nothing failed")
    let record = try Self.note().run {
      $0.rejects = RejectPolicy(.quarantine)
      $0.policies = PolicyRegistry(["Naming": Self.naming(.relating, [ad, banner])])
    }
    #expect(record.rejected == 1)
  }

  private static func doing(_ work: @escaping Making.Work) -> Making {
    Making { source, mapping, manager in
      try work(source, mapping, manager)
      try manager.make(source, mapping)
    }
  }

  @Test func `an object that is associated, or whose relationship is set, must exist`() throws {
    let missing = ObjectID(entityName: "Note", key: 99)
    let associating = Self.doing { source, mapping, manager in
      try manager.associate(sourceInstance: source, withDestinationInstance: missing, for: mapping)
    }
    let setting = Self.doing { _, _, manager in try manager.setObjects([], for: "ad", of: missing) }
    for policy in [associating, setting] {
      #expect(
        failure(of: try Self.note(), policies: ["Naming": policy])
          == "entity mapping NoteToNote, policy Naming, createDestinationInstances, Note 1: Note 99 does not exist; "
          + "an object must exist before it is named, as all do in createRelationships; no destination was made"
      )
    }
  }

  /// The object is there when the hook returns.
  @Test func `what is set while objects are made is set when they are`() throws {
    let policy = Self.doing { source, _, manager in
      try manager.setObjects([ObjectID(entityName: "Ad", key: 5)], for: "ad", of: source.objectID)
    }
    let migrated = try migrated(Self.note(), policies: ["Naming": policy])
    #expect(try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZAD", "Z1_AD") == [[1, 5, 1]])
  }

  /// Of P 1 the policy makes a tag, of the others nothing; the second mapping takes P 2.
  @Test func `an object of which a policy makes one of another entity is not lost`() throws {
    let p = EntityDescription("P", [.optional("rank", .integer64)])
    let planned = try Planned(
      TestStore(.of(p), .each("P", ["rank": 1], ["rank": 2], ["rank": 1])),
      to: .of(p, .init("Copy"), .init("Tag")),
      by: [
        .of("P", "P", policy: "Tagging"), .of("P", "Copy", where: "rank == 2"),
      ]
    )
    let policy = Making { source, mapping, manager in
      guard source.objectID.key == 1 else { return }
      try manager.insert(manager.makeInstance(ofEntity: "Tag"), forSource: source, in: mapping)
    }
    let losses = try planned.run { $0.policies = PolicyRegistry(["Tagging": policy]) }.losses
    #expect(
      losses.filter { $0.kind == .objects }.map(\.description) == [
        "1 object of P: no entity mapping makes anything of them"
      ]
    )
  }

  // MARK: Several entities of one mapping

  /// Makes of each P a tag, the object of the mapping and a special P, and of P 3 only that of the mapping.
  private struct Several: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let isWhole = source.objectID.key != 3
      if isWhole {
        let tag = try manager.makeInstance(ofEntity: "Tag")
        try manager.insert(tag, forSource: source, in: mapping)
      }
      try manager.make(source, mapping)
      guard isWhole else { return }
      let special = try manager.makeInstance(ofEntity: "Special")
      try manager.insert(special, forSource: source, in: mapping)
    }

    func createRelationships(
      forDestination destination: ObjectID,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let sources = try manager.sourceInstances(
        forEntityMappingNamed: mapping.name,
        destinationKeys: [destination.key],
        ofEntity: destination.entityName
      )
      let made = try manager.destinationInstances(
        forEntityMappingNamed: mapping.name,
        sourceKeys: sources.map(\.key)
      )
      var text = ""
      if case .string(let known) = manager.userInfo["text"] { text = known }
      text += "\(destination.text) of \(sources.map(\.key)): \(made.map(\.text))\n"
      manager.userInfo["text"] = .string(text)
    }

    func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
      if case .string(let text) = manager.userInfo["text"] { throw PolicyError(text) }
    }
  }

  /// P 1, 2 and 3; Q 4 and 5 lead to P 3, and Q 6 to the P with a key.
  private static func several(
    to target: Int64 = 3,
    _ relationships: (p: [String: String], q: [String: String]) = (
      [:], ["p": instances("PToP", "$source.p")]
    )
  ) throws -> Planned {
    let p = EntityDescription("P", [], [.toMany("qs", "Q.p")])
    return try Planned(
      TestStore(
        try .of(p, .init("Q", [], [.toOne("p", "P.qs")])),
        TestObject("P", 1),
        TestObject("P", 2),
        TestObject("Q", 4, links: ["p": [3]]),
        TestObject("Q", 5, links: ["p": [3]]),
        TestObject("Q", 6, links: ["p": [target]])
      ),
      to: .of(
        .init("P", [], [.toMany("qs", "Q.p")]),
        .init("Special", under: "P"),
        .init("Q", [], [.toOne("p", "P.qs")]),
        .init("Tag", [], [])
      ),
      by: [
        .of("P", "P", policy: "Several", [:], relationships.p),
        .of("Q", "Q", [:], relationships.q),
      ]
    )
  }

  @Test func `each is known with its entity, in the order in which they were made`() throws {
    let text = failure(of: try Self.several(), policies: ["Several": Several()])
    #expect(
      text.contains(
        """
        Tag 1 of [1]: ["Tag 1", "P 1", "Special 4"]
        P 1 of [1]: ["Tag 1", "P 1", "Special 4"]
        Special 4 of [1]: ["Tag 1", "P 1", "Special 4"]
        Tag 2 of [2]: ["Tag 2", "P 2", "Special 5"]
        P 2 of [2]: ["Tag 2", "P 2", "Special 5"]
        Special 5 of [2]: ["Tag 2", "P 2", "Special 5"]
        P 3 of [3]: ["P 3"]

        """
      ),
      "\(text)"
    )
  }

  /// Like Several, without telling.
  private static let silent = Making { source, mapping, manager in
    try Several().createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }

  @Test func `a relationship that is given one of another entity is refused`() throws {
    let text = failure(of: try Self.several(to: 2), policies: ["Several": Self.silent])
    #expect(
      text.hasSuffix(
        "entity mapping QToQ, relationship p, Q 6: Tag 2, which PToP made of P 2, is not an object of P; "
          + "no destination was made"
      ),
      "\(text)"
    )
    #expect(text.contains("all.json:"), "\(text)")
  }

  @Test func `objects that are not reached do not matter`() throws {
    let migrated = try migrated(Self.several(), policies: ["Several": Self.silent])
    #expect(try migrated.destination.rows(of: "ZQ", "Z_PK", "ZP") == [[4, 3], [5, 3], [6, 3]])
    #expect(
      try migrated.destination.rows(of: "ZP", "Z_PK", "Z_ENT")
        == [[1, 1], [2, 1], [3, 1], [4, 2], [5, 2]]
    )
    #expect(try migrated.destination.rows(of: "ZTAG", "Z_PK") == [[1], [2]])
  }

  /// Tag 2 has no such relationship; P 2 and Special 5 are given Q 6 in turn.
  @Test func `relationships of the mapping are those of objects that have them`() throws {
    let qs = ["qs": instances("QToQ", "$source.qs")]
    let migrated = try migrated(Self.several(to: 2, (qs, [:])), policies: ["Several": Self.silent])
    #expect(
      try migrated.destination.rows(of: "ZQ", "Z_PK", "ZP", "Z1_P") == [
        [4, 3, 1], [5, 3, 1], [6, 5, 2],
      ]
    )
    #expect(migrated.losses == [:])
  }

  /// Makes two objects of each.
  private static let twice = Making { source, mapping, manager in
    for _ in 0..<2 { try manager.make(source, mapping) }
  }

  @Test func `all that is made of an object is left out where a value of it cannot be computed`()
    throws
  {
    let planned = try Planned(
      TestStore(
        try .of(EntityDescription("Note", [.optional("text")])),
        .each("Note", ["text": "1"], ["text": "x"], ["text": "3"])
      ),
      to: .of(EntityDescription("Note", [.optional("number", .integer64)])),
      by: [
        .of(
          "Note",
          "Note",
          policy: "Twice",
          ["number": "CAST($source.text, \"NSNumber\")"]
        )
      ]
    )
    let record = try planned.run {
      $0.rejects = RejectPolicy(.quarantine)
      $0.policies = PolicyRegistry(["Twice": Self.twice])
    }
    #expect(record.rejected == 2)
    #expect(
      try planned.made.rows("SELECT ZNUMBER FROM ZNOTE ORDER BY 1") == [[1], [1], [3], [3]]
    )
  }

  @Test func `objects that break a rule are told by the object from which a policy made them`()
    throws
  {
    let planned = try Planned(
      TestStore(
        try .of(EntityDescription("Note", [.optional("title")])),
        .each("Note", ["title": "a"], [:])
      ),
      to: .of(EntityDescription("Note", [.required("title")])),
      by: [.of("Note", "Note", policy: "Twice", ["title": "$source.title"])]
    )
    let record = try planned.run {
      $0.rejects = RejectPolicy(.quarantine)
      $0.policies = PolicyRegistry(["Twice": Self.twice])
    }
    #expect(record.rejected == 2)
    #expect(try planned.made.rows(of: "ZNOTE", "Z_PK", "ZTITLE") == [[1, "a"], [3, "a"]])
    let file = "\(try #require(record.rejectFolderPath))/Note.jsonl"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let reason = #""property": "title", "rule": "required", "value": null}"#
    #expect(text.hasPrefix(#"{"entity": "Note", "key": 2, "uri": "x-coredata://"#), "\(text)")
    #expect(
      text.hasSuffix(
        #""mapping": "NoteToNote", "reasons": [{"object": "Note 2", \#(reason), {"object": "Note 4", \#(reason)], "#
          + #""values": {"title": null}}\#n"#
      ),
      "\(text)"
    )
  }
}

extension ObjectID {
  fileprivate var text: String { "\(entityName) \(key)" }
}

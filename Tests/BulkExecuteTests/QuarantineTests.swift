import BulkTestSupport
import Testing

@Suite("Objects that are left out", .tags(.promise22)) struct QuarantineTests {
  private struct Result {
    let outcome: MigrationRecord
    let destination: StoreFile
    let planned: Planned

    func lines(_ entity: String) throws -> [String] {
      let folder = try #require(outcome.rejectFolderPath)
      return try String(contentsOfFile: "\(folder)/\(entity).jsonl", encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }

    func keys(_ entity: String) throws -> [Int] {
      try lines(entity).map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["key"] as? Int)
      }
    }
  }

  private func migrate(
    _ planned: Planned,
    _ policy: RejectPolicy = RejectPolicy(.quarantine)
  ) throws -> Result {
    let outcome = try planned.run { $0.rejects = policy }
    return Result(outcome: outcome, destination: planned.made, planned: planned)
  }

  private static let notes = EntityDescription("Note", [.optional("title")])

  private static func store(_ titles: [String?]) throws -> TestStore {
    var store = TestStore(try .of(notes))
    store.objects = titles.enumerated().map { index, title in
      TestObject("Note", Int64(index + 1), ["title": title.map { .string($0) } ?? .null])
    }
    return store
  }

  @Test func `exactly the objects that break a rule are left out, and told with their values`()
    throws
  {
    let planned = try Planned(
      Self.store(["a", nil, "c", nil]),
      to: .of(EntityDescription("Note", [.required("title"), .optional("length", .integer64)])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    )
    let result = try migrate(planned)
    #expect(result.outcome.rejected == 2)
    #expect(result.outcome.rows == 2)
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK", "ZTITLE") == [[1, "a"], [3, "c"]])
    // The keys of rows that were left out are not given again.
    #expect(try result.destination.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == [[4]])
    #expect(
      try result.lines("Note")
        == [2, 4].map { key in
          #"{"entity": "Note", "key": \#(key), "uri": "x-coredata://\#(TestStore.uuid)/Note/p\#(key)", "#
            + #""mapping": "NoteToNote", "reasons": [{"object": "Note \#(key)", "property": "title", "#
            + #""rule": "required", "value": null}], "values": {"title": null}}"#
        }
    )
    #expect(
      try planned.directory.contents().contains { $0.hasPrefix("destination.sqlite.bulkmigrate") }
    )
  }

  @Test func `an expression that fails leaves its object out, once, and is told by its place`()
    throws
  {
    let planned = try Planned(
      Self.store(["1.5", "x", "3"]),
      to: .of(.init("Note", [.required("amount", .double), .optional("other", .double)])),
      by: [
        .of(
          "Note",
          "Note",
          [
            "amount": "CAST($source.title, 'NSNumber')",
            "other": "CAST($source.title, 'NSNumber') + 1",
          ]
        )
      ]
    )
    let result = try migrate(planned)
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK", "ZAMOUNT") == [[1, 1.5], [3, 3.0]])
    #expect(try result.keys("Note") == [2])
    let line = try result.lines("Note")[0]
    #expect(
      line.contains(
        #""reasons": [{"object": "Note 2", "property": "amount", "rule": "expression", "#
      )
    )
    let path = planned.directory.path("all.json")
    let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    let number = try #require(lines.firstIndex { $0.contains("CAST(") })
    let column = try #require(lines[number].components(separatedBy: "CAST(").first).count + 1
    #expect(
      line.contains(#""file": "\#(path)", "line": \#(number + 1), "column": \#(column)}"#),
      "\(line)"
    )
  }

  @Test func `an object that is left out for another reason takes no value from an equal one`()
    throws
  {
    let attributes = [AttributeDescription.optional("kind"), .optional("title")]
    var store = TestStore(try .of(EntityDescription("Note", attributes)))
    store.objects = [
      TestObject("Note", 1, ["title": "dup"]),
      TestObject("Note", 2, ["title": "dup", "kind": "k"]),
      TestObject("Note", 3, ["title": "dup", "kind": "k"]),
      TestObject("Note", 4, ["title": "b", "kind": "k"]),
    ]
    let planned = try Planned(
      store,
      to: .of(.init("Note", [.required("kind"), .optional("title")], unique: [["title"]])),
      by: [.of("Note", "Note", ["kind": "$source.kind", "title": "$source.title"])]
    )
    let result = try migrate(planned)
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK") == [[2], [4]])
    let lines = try result.lines("Note")
    #expect(lines.map { $0.contains(#""rule": "required""#) } == [true, false])
    #expect(lines.map { $0.contains(#""rule": "unique""#) } == [false, true])
  }

  /// Notes of which two have the title of one before them, and a link to each.
  private static func planDuplicates() throws -> Planned {
    let model = try ManagedObjectModel.of(
      .init("Note", [.optional("title")], [.toMany("links", "Link.note")]),
      .init("Link", [], [.toOne("note", "Note.links")])
    )
    var store = TestStore(model)
    store.objects = ["a", "b", "a", "a", "c"].enumerated().map {
      TestObject("Note", Int64($0 + 1), ["title": .string($1)])
    }
    store.objects += (1...5).map { TestObject("Link", $0, links: ["note": [$0]]) }
    return try Planned(
      store,
      to: model,
      by: [
        .of(
          "Note",
          "Note",
          unique: ["title"],
          keeping: .quarantine,
          ["title": "$source.title"]
        ),
        .of("Link", "Link", [:], ["note": instances("NoteToNote", "$source.note")]),
      ]
    )
  }

  @Test func `the first of those that agree is kept, and the others are left out`() throws {
    let planned = try Self.planDuplicates()
    #expect(
      failure(of: planned).contains(
        "title: the same as an object before it: broken by 2 objects"
      )
    )
    let result = try migrate(planned)
    #expect(result.outcome.rejected == 2)
    #expect(
      try result.destination.rows(of: "ZNOTE", "Z_PK", "ZTITLE") == [
        [1, "a"], [2, "b"], [5, "c"],
      ]
    )
    #expect(
      try result.destination.rows(of: "ZLINK", "Z_PK", "ZNOTE")
        == [[1, 1], [2, 2], [3, nil], [4, nil], [5, 5]]
    )
    #expect(try result.keys("Note") == [3, 4])
    #expect(
      try result.lines("Note")[0].contains(
        #""reasons": [{"object": "Note 3", "property": "title", "#
          + #""rule": "the same as an object before it", "value": "Note 1"}]"#
      )
    )
  }

  @Test func `a policy rejects an object with a reason, which is kept with it`() throws {
    let planned = try Planned(
      Self.store(["a", "x1", "c", "x2"]),
      to: .of(Self.notes),
      by: [.of("Note", "Note", policy: "Choosy", ["title": "$source.title"])]
    )
    let choosy = Making { source, mapping, manager in
      if case .string(let title) = try source["title"], title.hasPrefix("x") {
        throw RejectedObject(reason: "\(title) is not wanted")
      }
      try manager.make(source, mapping)
    }
    #expect(
      failure(of: planned, policies: ["Choosy": choosy])
        .contains("rejected by the policy: broken by 2 objects")
    )
    let outcome = try planned.run {
      $0.policies = PolicyRegistry(["Choosy": choosy])
      $0.lossLimit = .count(0)
      $0.rejects = RejectPolicy(.quarantine)
    }
    #expect(outcome.rejected == 2)
    #expect(outcome.rows == 2)
    #expect(outcome.losses == [])
    #expect(try planned.made.rows(of: "ZNOTE", "ZTITLE") == [["a"], ["c"]])
    let result = Result(outcome: outcome, destination: planned.made, planned: planned)
    #expect(try result.keys("Note") == [2, 4])
    #expect(
      try result.lines("Note")[0].contains(
        #""reasons": [{"object": "Note 2", "property": "policy", "rule": "rejected by the policy", "#
          + #""value": "x1 is not wanted"}]"#
      )
    )
  }

  @Test(arguments: [nil, ["title"]])
  func `a row for which the filter fails is left out and told, and not lost`(
    unique: [String]?
  )
    throws
  {
    let planned = try Planned(
      Self.store(["1.5", "x", "3"]),
      to: .of(Self.notes),
      by: [
        .of(
          "Note",
          "Note",
          where: "CAST(title, 'NSNumber') > 1",
          unique: unique,
          ["title": "$source.title"]
        )
      ]
    )
    let result = try migrate(planned)
    #expect(result.outcome.rejected == 1)
    #expect(result.outcome.losses == [])
    #expect(result.outcome.rows == 2)
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK") == [[1], [3]])
    #expect(try result.keys("Note") == [2])
    #expect(try result.lines("Note")[0].contains(#""property": "filter", "rule": "expression""#))
  }

  /// The value fails for the row from which an object is made, or for another row of an object.
  @Test func `a value that fails leaves the object out where it would be made of its row`() throws {
    func planned(_ titles: String..., size: String = "1") throws -> Planned {
      try Planned(
        Self.store(titles),
        to: .of(
          EntityDescription(
            "Note",
            [.optional("title"), .optional("amount", .double), .optional("size", .double)]
          )
        ),
        by: [
          .of(
            "Note",
            "Note",
            unique: ["amount"],
            ["title": "$source.title", "amount": "CAST($source.title, 'NSNumber')", "size": size]
          )
        ]
      )
    }
    let result = try migrate(planned("1", "x", "1"))
    #expect(result.outcome.rejected == 1)
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK", "ZAMOUNT") == [[1, 1.0]])
    let twice = try migrate(planned("1", "x", size: "CAST($source.title, 'NSNumber')"))
    #expect(twice.outcome.rejected == 1)
    let other = try planned("1", "x", "y")
    let text = failure(of: other) { $0.rejects = RejectPolicy(.quarantine) }
    #expect(text.contains("cannot be computed; no destination was made"), "\(text)")
    #expect(!other.isMade)
  }

  private static func school(
    isRequired: Bool,
    _ name: AttributeDescription = .required("name")
  ) throws -> ManagedObjectModel {
    var teacher = RelationshipDescription.toOne("teacher", "Teacher.courses")
    teacher.isOptional = !isRequired
    var course = RelationshipDescription.toOne("course", "Course.lessons")
    course.isOptional = !isRequired
    return try .of(
      .init("Teacher", [name], [.toMany("courses", "Course.teacher")]),
      .init("Course", [], [teacher, .toMany("lessons", "Lesson.course")]),
      .init("Lesson", [], [course, .toMany("rooms", "Room.lessons")]),
      .init("Room", [], [.toMany("lessons", "Lesson.rooms")])
    )
  }

  private static func planSchool(isRequired: Bool) throws -> Planned {
    let store = TestStore(
      try school(isRequired: isRequired, .optional("name")),
      TestObject("Teacher", 1, ["name": "a"]),
      TestObject("Course", 1, links: ["teacher": [1]]),
      TestObject("Course", 2, links: ["teacher": [2]]),
      TestObject("Lesson", 1, links: ["course": [1], "rooms": [1]]),
      TestObject("Lesson", 2, links: ["course": [2], "rooms": [1]])
    )
    return try Planned(
      store,
      to: school(isRequired: isRequired),
      by: [
        .of("Teacher", "Teacher", ["name": "$source.name"]),
        .of("Course", "Course", [:], ["teacher": instances("TeacherToTeacher", "$source.teacher")]),
        .of(
          "Lesson",
          "Lesson",
          [:],
          [
            "course": instances("CourseToCourse", "$source.course"),
            "rooms": instances("RoomToRoom", "$source.rooms"),
          ]
        ),
        .of("Room", "Room"),
      ]
    )
  }

  /// Notes 1 to 6, of which the last two have no title, each with two attachments and all three tags.
  private static func planAccount() throws -> Planned {
    func model(_ title: AttributeDescription) throws -> ManagedObjectModel {
      try .of(
        .init(
          "Note",
          [title],
          [.toMany("attachments", "Attachment.note"), .toMany("tags", "Tag.notes")]
        ),
        .init("Attachment", [], [.toOne("note", "Note.attachments")]),
        .init("Tag", [], [.toMany("notes", "Note.tags")])
      )
    }
    var store = TestStore(try model(.optional("title")))
    store.objects = (1...6).map {
      TestObject(
        "Note",
        $0,
        ["title": $0 > 4 ? .null : .string("note \($0)")],
        links: ["tags": [1, 2, 3]]
      )
    }
    store.objects += (1...12).map { TestObject("Attachment", $0, links: ["note": [($0 + 1) / 2]]) }
    store.objects += (1...3).map { TestObject("Tag", $0) }
    return try Planned(
      store,
      to: model(.required("title")),
      by: [
        .of(
          "Note",
          "Note",
          ["title": "$source.title"],
          ["tags": instances("TagToTag", "$source.tags")]
        ),
        .of(
          "Attachment",
          "Attachment",
          [:],
          ["note": instances("NoteToNote", "$source.note")]
        ), .of("Tag", "Tag"),
      ]
    )
  }

  @Test func `links and pairs that go with objects that are left out are losses`() throws {
    let planned = try Self.planAccount()
    func limit(_ count: Int64) -> (inout Migration) -> Void {
      {
        $0.rejects = RejectPolicy(.quarantine)
        $0.lossLimit = .count(count)
      }
    }
    let refused = try Self.planAccount()
    #expect(failure(of: refused, limit(9)).contains("6 links of Note.tags"))
    #expect(!refused.isMade)
    let outcome = try planned.run(limit(10))
    #expect(outcome.rejected == 2)
    // 4 of 6 notes, 12 attachments, 3 tags, and 4 times 3 pairs.
    #expect(outcome.rows == 4 + 12 + 3 + 12)
    let reason = "the object at one of their ends is left out"
    #expect(
      outcome.lossLines == [
        "4 links of Attachment.note: \(reason)", "6 links of Note.tags: \(reason)",
      ]
    )
    let location = StateLocation(destination: planned.plan.destination.store, stateDirectory: nil)
    let summary = try #require(try RejectFolder(location)?.summary)
    #expect(summary.rows == 31)
    #expect(summary.losses == outcome.losses)
    #expect(summary.reasons?.map(\.rule) == ["required"])
    #expect(summary.reasons?.map(\.count) == [2])
    let status = MigrationRecord(location, of: planned.plan)
    #expect(status.state == .done)
    #expect(status.rejected == 2)
  }

  @Test func `where rows keep their keys they are told with values, links and URI too`() throws {
    func model(_ unique: [[String]]) throws -> ManagedObjectModel {
      try .of(
        .init("Note", [.optional("title")], [.toOne("folder", "Folder.notes")], unique: unique),
        .init("Folder", [], [.toMany("notes", "Note.folder")])
      )
    }
    var store = TestStore(try model([]))
    store.objects = ["a", "b", "a"].enumerated().map {
      TestObject("Note", Int64($0 + 1), ["title": .string($1)], links: ["folder": [1]])
    }
    store.objects.append(TestObject("Folder", 1))
    let result = try migrate(try Planned(store, to: model([["title"]])))
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK") == [[1], [2]])
    #expect(
      try result.lines("Note") == [
        #"{"entity": "Note", "key": 3, "uri": "x-coredata://\#(TestStore.uuid)/Note/p3", "reasons": "#
          + #"[{"object": "Note 3", "property": "title", "rule": "unique", "value": "a"}], "#
          + #""values": {"title": "a"}, "relationships": {"folder": 1}}"#
      ]
    )
  }

  // formats/migration.md 2.16
  @Test func `objects without what becomes a required relationship refuse the step`() throws {
    func model(isOptional: Bool) throws -> ManagedObjectModel {
      var folder = RelationshipDescription.toOne("folder", "Folder.notes")
      folder.isOptional = isOptional
      return try .of(
        .init("Note", [.optional("title")], [folder]),
        .init("Folder", [], [.toMany("notes", "Note.folder")])
      )
    }
    var store = TestStore(try model(isOptional: true))
    store.objects = (1...5).map {
      TestObject("Note", $0, links: $0 < 3 ? ["folder": [1]] : [:])
    }
    store.objects.append(TestObject("Folder", 1))
    let text = failure { try Planned(store, to: model(isOptional: false)) }
    #expect(
      text.contains(
        "Note.folder is required now, but would be empty in 3 objects; make it optional, or write a mapping model"
      )
    )
    store.objects.removeSubrange(2..<5)
    #expect(try Planned(store, to: model(isOptional: false)).plan.warnings == [])
  }

  @Test func `a duplicate whose twin goes as its dependant says that none is left`() throws {
    func model(_ unique: [[String]]) throws -> ManagedObjectModel {
      try .of(
        .init(
          "Note",
          [.optional("title")],
          [.toOne("next", "Note.former"), .toMany("former", "Note.next")],
          unique: unique
        )
      )
    }
    var store = TestStore(try model([]))
    // The first leads to the second, which has the same title.
    store.objects = ["a", "a", "b"].enumerated().map {
      TestObject(
        "Note",
        Int64($0 + 1),
        ["title": .string($1)],
        links: $0 == 0 ? ["next": [2]] : [:]
      )
    }
    let result = try migrate(
      try Planned(store, to: model([["title"]])),
      RejectPolicy(.quarantine, dependants: .reject)
    )
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK") == [[3]])
    let lines = try result.lines("Note")
    #expect(lines.count == 2)
    #expect(
      lines[0].contains(#""rule": "leads to an object that is left out", "value": "Note 2""#),
      "\(lines)"
    )
    #expect(
      lines[1].contains(
        #""rule": "the same as an object that is left out, too", "value": "Note 1""#
      ),
      "\(lines)"
    )
  }

  @Test func `a link to an object that is left out becomes nil where that is allowed`() throws {
    let result = try migrate(Self.planSchool(isRequired: false))
    #expect(result.outcome.rejected == 1)
    #expect(try result.destination.rows(of: "ZCOURSE", "Z_PK", "ZTEACHER") == [[1, 1], [2, nil]])
    #expect(try result.destination.rows(of: "ZLESSON", "Z_PK", "ZCOURSE") == [[1, 1], [2, 2]])
    #expect(try result.keys("Teacher") == [2])
  }

  @Test(arguments: [true, false])
  func `what may not be without it is left out too, to the end of the chain`(
    isRequired: Bool
  )
    throws
  {
    let policy = RejectPolicy(.quarantine, dependants: isRequired ? .nullify : .reject)
    let result = try migrate(Self.planSchool(isRequired: isRequired), policy)
    #expect(result.outcome.rejected == 3)
    #expect(try result.destination.rows(of: "ZTEACHER", "Z_PK") == [[1]])
    #expect(try result.destination.rows(of: "ZCOURSE", "Z_PK") == [[1]])
    #expect(try result.destination.rows(of: "ZLESSON", "Z_PK") == [[1]])
    #expect(try result.destination.rows(of: "ZROOM", "Z_PK") == [[1]])
    #expect(try result.destination.rows("SELECT Z_2LESSONS FROM Z_2ROOMS") == [[1]])
    #expect(try result.lines("Lesson").count == 1)
    #expect(
      try result.lines("Lesson")[0].contains(
        #""property": "course", "rule": "leads to an object that is left out", "value": "Course 2""#
      )
    )
  }

  @Test func `of equal objects the first stays, and the index is made`() throws {
    let planned = try Planned(
      Self.store(["a", "b", "a", nil, nil, "a"]),
      to: .of(EntityDescription("Note", [.optional("title")], unique: [["title"]])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    )
    let result = try migrate(planned)
    #expect(try result.destination.rows(of: "ZNOTE", "Z_PK") == [[1], [2], [4], [5]])
    #expect(try result.keys("Note") == [3, 6])
    let indexes = try result.destination.rows(
      "SELECT count(*) FROM sqlite_schema WHERE sql LIKE 'CREATE UNIQUE INDEX%'"
    )
    #expect(indexes == [[1]])
  }

  @Test func `links of an object that is left out are in its file only`()
    throws
  {
    var store = TestStore(
      try .of(
        .init("Album", [], [.toMany("songs", "Song.album")]),
        .init("Song", [.optional("title")], [.toOne("album", "Album.songs")])
      )
    )
    store.objects = [TestObject("Album", 1)]
    store.objects += ([(1, "a"), (2, .null)] as [(Int64, AttributeValue)]).map { key, title in
      TestObject("Song", key, ["title": title], links: ["album": [1]])
    }
    let planned = try Planned(
      store,
      to: .of(
        .init("Record", [], [.toMany("tracks", "Track.record")]),
        .init("Track", [.required("title")], [.toOne("record", "Record.tracks")]),
        .init("Tag", [.optional("name")])
      ),
      by: [
        .of("Album", "Record", [:]),
        .of(
          "Song",
          "Track",
          ["title": "$source.title"],
          ["record": instances("AlbumToRecord", "$source.album")]
        ),
        .of("Song", "Tag", ["name": "$source.title"]),
      ]
    )
    let result = try migrate(planned)
    #expect(result.outcome.losses == [])
    #expect(try result.destination.rows(of: "ZTRACK", "Z_PK", "ZRECORD") == [[1, 1]])
    #expect(try result.destination.rows(of: "ZTAG", "Z_PK") == [[1], [2]])
    #expect(try result.keys("Song") == [2])
  }

  @Test func `a link is lost whatever else of its row is left out`() throws {
    var store = TestStore(
      try .of(
        .init("Album", [.optional("title")], [.toMany("songs", "Song.album")]),
        .init("Song", [.optional("title")], [.toOne("album", "Album.songs")])
      )
    )
    store.objects = [TestObject("Album", 1, ["title": "a"]), TestObject("Album", 2)]
    store.objects += ([(1, "a"), (2, .null)] as [(Int64, AttributeValue)]).map { key, title in
      TestObject("Song", key, ["title": title], links: ["album": [key]])
    }
    let planned = try Planned(
      store,
      to: .of(
        .init("Record", [], [.toMany("tracks", "Track.record")]),
        .init("Track", [], [.toOne("record", "Record.tracks")]),
        .init("Tag", [.required("name")])
      ),
      by: [
        .of("Album", "Record", where: "title != nil", [:]),
        .of("Song", "Track", [:], ["record": instances("AlbumToRecord", "$source.album")]),
        .of("Song", "Tag", ["name": "$source.title"]),
      ]
    )
    let outcome = try planned.run {
      $0.rejects = RejectPolicy(.quarantine)
      $0.lossLimit = .all
    }
    #expect(outcome.rejected == 1)
    #expect(outcome.losses.filter { $0.owner == "Song.album" }.map(\.count) == [1])
    #expect(try planned.made.rows(of: "ZTRACK", "Z_PK", "ZRECORD") == [[1, 1], [2, nil]])
  }

  @Test func `a limit is told as it is typed`() {
    let limits: [RejectPolicy.Limit] = [
      .all, .count(7), .share(0.07), .share(0.005), .share(.infinity),
    ]
    #expect(limits.map(\.description) == ["all", "7", "7%", "0.5%", "inf%"])
  }

  @Test(
    arguments: [
      (.count(1), false), (.count(2), true), (.share(0.49), false), (.share(0.5), true),
      (.all, true), (.count(0), false),
    ] as [(RejectPolicy.Limit, Bool)]
  )
  func `more than the limit are refused, and nothing is made`(
    limit: RejectPolicy.Limit,
    isAllowed: Bool
  ) throws {
    let planned = try Planned(
      Self.store(["a", nil, "c", nil]),
      to: .of(EntityDescription("Note", [.required("title")])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    )
    let policy = RejectPolicy(.quarantine, limit: limit)
    guard !isAllowed else {
      #expect(try migrate(planned, policy).outcome.rejected == 2)
      return
    }
    let text = failure(of: planned) { $0.rejects = policy }
    #expect(
      text.hasPrefix("2 of 4 objects would be left out, more than --max-rejects \(limit) allows")
    )
    #expect(!planned.isMade)
  }

  @Test func `without bad objects nothing is different`() throws {
    let planned = try Planned(
      Self.store(["a", "b"]),
      to: .of(EntityDescription("Note", [.required("title")])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    )
    let result = try migrate(planned)
    #expect(result.outcome.rejected == 0)
    #expect(result.outcome.rejectFolderPath == nil)
    let bytes = try planned.directory.bytes()["destination.sqlite"]
    try FileManager.default.removeItem(atPath: planned.plan.destination.store)
    _ = try migrate(planned, RejectPolicy())
    #expect(try planned.directory.bytes()["destination.sqlite"] == bytes)
  }
}

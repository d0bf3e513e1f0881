import BulkTestSupport
import BulkMigrate
import Testing

/// A replay reads a copy of the source with corrected values; nothing else of it differs, and nothing in it is executed.
@Suite("Sources of which values are corrected", .tags(.promise23)) struct CorrectedSourceTests {
  private static let file = "0B61C1D5-4D0C-4C9E-9E57-3D8E5B7E9A10"

  /// Notes of a source, or of a destination, of which no two may have the same title.
  private static func model(
    isUnique: Bool = false,
    _ more: AttributeDescription...
  ) throws -> ManagedObjectModel {
    var note = EntityDescription(
      "Note",
      [
        .optional("title"), .optional("rank", .integer16), .optional("done", .boolean),
        .optional("weight", .float),
      ] + more
    )
    note.indexes = [
      FetchIndexDescription("byWeight", elements: [.init(.property("weight"), kind: .rTree)])
    ]
    note.uniquenessConstraints = isUnique ? [["title"]] : []
    return try .of(note)
  }

  /// Three notes, of which the second has the title of the first and is left out.
  private static func planned(
    _ more: AttributeDescription...,
    strategy: StoreStrategy.Kind = .rebuild,
    isInWriteAheadMode: Bool = false,
    changing change: (StoreFile) throws -> Void = { _ in }
  ) throws -> Planned {
    var model = try model()
    var destination = try Self.model(isUnique: true)
    for attribute in more {
      model = try model.adding(attribute)
      destination = try destination.adding(attribute)
    }
    var store = TestStore(
      model,
      TestObject("Note", 1, ["title": "a", "rank": 1]),
      TestObject(
        "Note",
        2,
        ["title": "a", "rank": 2, "done": .boolean(true), "weight": .double(0.5)]
      ),
      TestObject("Note", 3, ["title": "c", "rank": 3])
    )
    store.isInWriteAheadMode = isInWriteAheadMode
    var request = PlanRequest()
    request.strategy = strategy
    let planned = try Planned(store, to: destination, request, changing: change)
    #expect(try planned.run { $0.rejects = RejectPolicy(.quarantine) }.rejected == 1)
    return planned
  }

  /// Corrects the only line, and brings its object in.
  private func replay(_ planned: Planned, _ corrections: (String, String)...) throws -> StoreFile {
    let folder = try planned.rejects
    var text = try String(contentsOfFile: folder.file(of: "Note"), encoding: .utf8)
    for (old, new) in corrections {
      #expect(text.contains(old), "\(text)")
      text = text.replacingOccurrences(of: old, with: new)
    }
    try text.write(toFile: folder.file(of: "Note"), atomically: true, encoding: .utf8)
    #expect(try RejectReplay(of: folder, .inTestProcess).run().rows == 3)
    var verification = Verification(planned.plan, .inTestProcess)
    verification.level = .full
    #expect(try verification.run().isVerified)
    return planned.made
  }

  private static let title = (#""title": "a""#, #""title": "b""#)

  /// Those of the R-tree and of the derived attribute would need Core Data.
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy], [false, true])
  func `no trigger of the source fires`(
    strategy: StoreStrategy.Kind,
    isInWriteAheadMode: Bool
  ) throws {
    let planned = try Self.planned(
      .derived("folded", .string, try ValueExpression(format: "uppercase:(title)")),
      strategy: strategy,
      isInWriteAheadMode: isInWriteAheadMode
    ) {
      try $0.execute(
        """
        CREATE TABLE app (x); INSERT INTO app VALUES (1), (2);
        CREATE TRIGGER log AFTER UPDATE ON ZNOTE BEGIN
        UPDATE ZNOTE SET ZRANK = -7; DELETE FROM app; END
        """
      )
    }
    let made = try replay(planned, Self.title)
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "ZTITLE", "ZFOLDED", "ZRANK")
        == [[1, "a", "A", 1], [2, "b", "B", 2], [3, "c", "C", 3]]
    )
    #expect(try made.rows(of: "app", "x") == [[1], [2]])
    #expect(try made.rows(of: "Z_Note_byWeight", "Z_PK") == [[2]])
    #expect(try made.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'log'") == [[1]])
  }

  /// Notes whose images lie in files beside the store.
  private static func pictured(
    _ condition: String,
    changing change: (StoreFile) throws -> Void = { _ in }
  ) throws -> Planned {
    try planned(.external("image")) { source in
      try source.execute(
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'trigger';"
      )
      try source.execute(
        "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(file)' || x'00' AS BLOB) WHERE Z_PK \(condition)"
      )
      try change(source)
    }
  }

  private static func addFile(beside store: String) throws {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent()
      .appendingPathComponent(".source_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("a picture".utf8).write(to: folder.appendingPathComponent(file))
  }

  /// They may have been brought back since then.
  @Test(arguments: [true, false])
  func `external values are read where they are`(isThere: Bool) throws {
    let planned = try Self.pictured(isThere ? "< 3" : "= 3") {
      if isThere { try Self.addFile(beside: $0.path) }
    }
    #expect(planned.plan.losses.map(\.cause) == (isThere ? [] : [.missingFile]))
    if !isThere { try Self.addFile(beside: planned.source.path) }
    let made = try replay(planned, Self.title)
    let images = try made.rows(
      "SELECT Z_PK, CAST(substr(ZIMAGE, 2, 36) AS TEXT) FROM ZNOTE WHERE ZIMAGE NOT NULL"
    )
    let keys: [StoredValue] = isThere ? [1, 2] : [3]
    #expect(images == keys.map { [$0, .text(Self.file)] })
    let copy = planned.directory.path(".destination_SUPPORT/_EXTERNAL_DATA/\(Self.file)")
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "a picture")
  }

  @Test func `a plan with corrected values is carried out by a replay alone`() throws {
    let planned = try Self.planned()
    var plan = planned.plan
    plan.source.corrections = String(repeating: "0", count: 64)
    plan.destination.store += ".other"
    let text = failure { try Migration(inTestProcess: plan).run() }
    #expect(text.hasPrefix("the plan does not fit its inputs any more"))
  }

  /// SQLite refuses a value of that length, so that it would end with an error.
  private static let costly = "hex(zeroblob(900000000))"

  private func computing(_ sql: String) -> (StoreFile) throws -> Void {
    {
      try $0.execute(
        """
        \(sql); PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'lower(ZTITLE)', '\(Self.costly)')
        """
      )
    }
  }

  @Test func `an index that a run leaves behind computes nothing`() throws {
    let index = "CREATE INDEX hostile ON ZNOTE (lower(ZTITLE))"
    let planned = try Self.planned(changing: computing(index))
    let made = try replay(planned, Self.title)
    #expect(try made.rows(of: "ZNOTE", "ZTITLE") == [["a"], ["b"], ["c"]])
  }

  @Test func `a column that would be computed is refused`() throws {
    let column = "ALTER TABLE ZNOTE ADD COLUMN computed AS (lower(ZTITLE)) STORED"
    let planned = try Self.planned(
      changing: computing(column.replacingOccurrences(of: " STORED", with: ""))
    )
    #expect(
      failure { try replay(planned, Self.title) }.contains("ZNOTE computes a column by hex()")
    )
  }

  @Test(
    arguments: [
      (#""rank": 2"#, "2.5", "Integer 16"), (#""rank": 2"#, "1e9", "Integer 16"),
      (#""rank": 2"#, #"{ "decimal": "2.5" }"#, "Integer 16"),
      (#""done": true"#, "2", "Boolean"), (#""done": true"#, "-1", "Boolean"),
      (#""done": true"#, "0.5", "Boolean"), (#""weight": 0.5"#, "1e39", "Float"),
      (#""weight": 0.5"#, #"{ "decimal": "-1e39" }"#, "Float"),
    ]
  )
  func `a number that the column cannot hold is refused`(
    old: String,
    value: String,
    type: String
  ) throws {
    let name = String(old.split(separator: ":")[0])
    let planned = try Self.planned()
    let text = failure { try replay(planned, Self.title, (old, "\(name): \(value)")) }
    #expect(text.contains("Note.jsonl:1: Note 2: "), "\(text)")
    #expect(text.contains(" of \(name.dropFirst().dropLast()) is not a value"), "\(text)")
    #expect(text.hasSuffix("for an attribute of type \(type); nothing has changed"), "\(text)")
  }

  /// 0.1 of a single-precision attribute is 0x3DCCCCCD, which is 0.10000000149011612.
  @Test func `a number that the column can hold is written as Core Data writes it`() throws {
    let made = try replay(
      try Self.planned(),
      Self.title,
      (#""rank": 2"#, #""rank": 7.0"#),
      (#""done": true"#, #""done": 0"#),
      (#""weight": 0.5"#, #""weight": 0.1"#)
    )
    #expect(
      try made.rows(
        "SELECT ZRANK, typeof(ZRANK), ZDONE, typeof(ZDONE), ZWEIGHT FROM ZNOTE WHERE Z_PK = 2"
      )
        == [[7, "integer", 0, "integer", 0.10000000149011612]]
    )
  }
}

extension ManagedObjectModel {
  fileprivate func adding(_ attribute: AttributeDescription) throws -> ManagedObjectModel {
    var entity = try #require(entities.first)
    entity.attributes.append(attribute)
    return try .of(entity)
  }
}

@testable import BulkExecute
import BulkTestSupport
import Testing

/// Tables whose records are copied without SQL.
struct CopiedRecordTests {
  private static let note = EntityDescription(
    "Note",
    [.optional("title"), .optional("rank", .integer32)],
    [.toOne("folder", "Folder.notes"), .toMany("tags", "Tag.notes")]
  )
  private static let folder = EntityDescription(
    "Folder",
    [.optional("name")],
    [.toMany("notes", "Note.folder")]
  )
  private static let smart = EntityDescription("Smart", under: "Folder")
  private static let tag = EntityDescription("Tag", [], [.toMany("notes", "Note.tags")])
  private static let all = [folder, smart, note, tag]
  /// A new entity at the end, which changes nothing else.
  private static let grown = all + [EntityDescription("Zone")]

  private static func store(_ sql: String...) throws -> TestStore {
    var store = TestStore(
      try ManagedObjectModel(entities: all),
      TestObject("Folder", 1),
      TestObject("Smart", 2),
      TestObject("Tag", 1),
      TestObject("Tag", 4)
    )
    store.objects += (1...60).map { key in
      TestObject(
        "Note",
        key * 3,
        ["title": .string("title \(key)."), "rank": .integer(key)],
        links: ["folder": [key % 2 + 1], "tags": key % 5 == 0 ? [1, 4] : [1]]
      )
    }
    store.sql = sql
    return store
  }

  private func migrated(_ store: TestStore) throws -> StoreFile {
    try migrate(store, to: .init(entities: Self.grown)).destination
  }

  @Test func `rows and indexes come out as they were`() throws {
    let made = try migrated(Self.store())
    #expect(
      try made.rows("SELECT count(*), sum(Z_PK), sum(ZRANK), max(ZTITLE) FROM ZNOTE")
        // 3 + 6 + … + 180 and 1 + 2 + … + 60.
        == [[60, 5490, 1830, "title 9."]]
    )
    #expect(
      try made.rows("SELECT count(*) FROM ZNOTE INDEXED BY ZNOTE_ZFOLDER_INDEX WHERE ZFOLDER = 2")
        == [[30]]
    )
    #expect(
      try made.rows(
        "SELECT count(*) FROM Z_3TAGS INDEXED BY Z_3TAGS_Z_4TAGS_INDEX WHERE Z_4TAGS = 4"
      ) == [[12]]
    )
    #expect(try made.rows("SELECT Z1_FOLDER FROM ZNOTE WHERE Z_PK IN (3, 6)") == [[2], [1]])
  }

  // MARK: Damage

  /// Lets an index hold other rows than its table: what is changed while SQLite does not notice
  /// the index stays away from it.
  private static func behindTheBack(of index: String, _ change: String) -> String {
    """
    PRAGMA writable_schema = ON;
    CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = '\(index)';
    DELETE FROM sqlite_schema WHERE name = '\(index)';
    """
      + "\n-- again\n\(change);\n-- again\n"
        + """
        PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema SELECT * FROM kept;
        """ + "\n-- again\nDROP TABLE kept"
  }

  /// Plans a store that is damaged in its file, where the planner did not meet the damage.
  private func damaged(_ change: (StoreFile) throws -> Void) throws -> Planned {
    var planned = try Planned(Self.store(), to: .init(entities: Self.grown))
    try change(planned.source)
    let damaged = try PersistentStore(path: planned.source.path)
    planned.plan.source.identity = try damaged.identification.run().text
    planned.plan.source.bytes = damaged.size
    return planned
  }

  @Test(
    arguments: [
      ("ZNOTE_ZFOLDER_INDEX", "UPDATE ZNOTE SET ZFOLDER = 1 WHERE Z_PK = 3", "ZNOTE"),
      ("ZNOTE_ZFOLDER_INDEX", "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 3", "ZNOTE"),
      ("Z_3TAGS_Z_4TAGS_INDEX", "DELETE FROM Z_3TAGS WHERE rowid = 1", "Z_3TAGS"),
      ("ZFOLDER_Z_ENT_INDEX", "UPDATE ZFOLDER SET Z_ENT = 2", "ZFOLDER"),
    ]
  )
  func `a damaged index entry of the source does no harm`(
    index: String,
    change: String,
    table: String
  ) throws {
    let planned = try damaged { source in
      let steps = Self.behindTheBack(of: index, change).components(separatedBy: "\n-- again\n")
      for step in steps { try source.execute(step) }
      #expect(try source.integrity() != [["ok"]])
    }
    let before = try planned.source.rows("SELECT * FROM \(table) NOT INDEXED")
    #expect(try planned.make().rows("SELECT * FROM \(table) NOT INDEXED") == before)
  }

  /// Flips bits of the byte that stands so far before a text in a record.
  private func damage(
    _ source: StoreFile,
    before text: String,
    by distance: Int,
    _ bits: UInt8
  )
    throws
  {
    let url = URL(fileURLWithPath: source.path)
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes[place.lowerBound - distance] ^= bits
    try bytes.write(to: url)
  }

  /// The record of a note ends with the types of its columns and their values: title, the text of 9
  /// bytes, has type 13 + 2 × 9 = 31; four values of one byte, and none of the version 1, lie between.
  @Test func `a value of another class is copied`() throws {
    let planned = try damaged { source in
      // A blob of 9 bytes instead of a text.
      try damage(source, before: "title 17.", by: 5, 31 ^ 30)
      #expect(try source.rows("SELECT typeof(ZTITLE) FROM ZNOTE WHERE Z_PK = 51") == [["blob"]])
    }
    #expect(try planned.make().rows("SELECT count(*) FROM ZNOTE") == [[60]])
  }

  @Test func `a record that cannot be read is refused`() throws {
    let planned = try damaged { source in
      try damage(source, before: "title 17.", by: 5, 0x40)
      #expect(throws: SQLiteError.self) { try source.rows("SELECT ZTITLE FROM ZNOTE") }
    }
    #expect(failure(of: planned).hasPrefix("DIR/source.sqlite is damaged: "))
    #expect(!planned.isMade)
  }

  @Test func `a number that no entity has becomes that of the object`()
    throws
  {
    let planned = try damaged { try $0.execute("UPDATE ZNOTE SET Z1_FOLDER = 9 WHERE Z_PK = 6") }
    #expect(
      try planned.make().rows("SELECT Z1_FOLDER FROM ZNOTE WHERE Z_PK IN (3, 6)") == [[2], [1]]
    )
  }

  /// The rows fill several extents of 1 MiB, from the first of which on another thread writes.
  @Test func `one thread makes the same bytes as two`() throws {
    let store = try Self.store(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, Z1_FOLDER, ZTITLE)
      SELECT 1000 + i, 3, 1, 1 + i % 2, 1 + i % 2, hex(zeroblob(i % 500)) || i FROM n
      """
    )
    let planned = try Planned(store, to: .init(entities: Self.grown))
    var made: [Data] = []
    for threads in [1, 2] {
      var migration = Migration(inTestProcess: planned.plan)
      migration.threads = threads
      migration.minimumRowsForCheckpoints = 1_000
      #expect(try migration.run().rows > 6_000)
      let path = planned.plan.destination.store
      made.append(try Data(contentsOf: URL(fileURLWithPath: path)))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(made[0].count > 3 << 20)
    #expect(made[0] == made[1])
  }

  @Test func `a migration that is told to stop stops, and leaves nothing behind`() throws {
    let planned = try Planned(Self.store(), to: .init(entities: Self.grown))
    let text = failure(of: planned) { $0.stopRequest = { .atOnce } }
    #expect(text.hasPrefix("stopped; no destination was made; "))
    let left = try FileManager.default.contentsOfDirectory(atPath: planned.directory.path)
    #expect(left.sorted() == ["destination.mom", "source.mom", "source.sqlite"])
  }
}

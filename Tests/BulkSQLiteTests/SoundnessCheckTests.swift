import BulkTestSupport
import Testing

/// A database that passes the check is as SQLite leaves it.
struct SoundnessCheckTests {
  private let directory = TemporaryDirectory()

  private static let tables = """
    CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTITLE VARCHAR, ZSIZE FLOAT, ZDATA BLOB);
    CREATE INDEX notes ON ZNOTE (ZTITLE, Z_ENT);
    CREATE INDEX sizes ON ZNOTE (ZSIZE DESC, Z_PK);
    CREATE TABLE Z_1TAGS (Z_1NOTES INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1NOTES, Z_2TAGS));
    CREATE INDEX tags ON Z_1TAGS (Z_2TAGS, Z_1NOTES);
    CREATE TABLE other (a TEXT PRIMARY KEY, b);
    """
  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO ZNOTE SELECT i * 3, i % 7, 'title ' || (i * 7919 % 400), i / 4.0,
      CASE WHEN i % 50 = 0 THEN zeroblob(3000) WHEN i % 9 > 0 THEN zeroblob(i % 40) END FROM n;
    INSERT INTO Z_1TAGS SELECT Z_PK, Z_PK * 31 % 97 FROM ZNOTE;
    INSERT INTO other SELECT ZTITLE, Z_PK FROM ZNOTE GROUP BY ZTITLE;
    """

  /// A database with everything that stores have, and with free pages and free space.
  private func database(_ settings: String = "PRAGMA page_size = 512") throws -> String {
    let path = directory.path("store.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("\(settings); \(Self.tables) \(Self.rows)")
    try connection.execute(
      "DELETE FROM ZNOTE WHERE Z_PK % 11 = 0; UPDATE ZNOTE SET ZTITLE = 'x' WHERE Z_PK % 13 = 0; "
        + "DELETE FROM ZNOTE WHERE Z_PK BETWEEN 600 AND 800"
    )
    return path
  }

  private func isSound(_ path: String, except left: Set<String> = []) throws -> Bool {
    try SourceFile(path: path).isSound(except: left) { false }
  }

  @Test(arguments: [
    "PRAGMA page_size = 512", "PRAGMA page_size = 4096",
    "PRAGMA page_size = 1024; PRAGMA auto_vacuum = INCREMENTAL",
    "PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL", "PRAGMA page_size = 65536",
    "PRAGMA encoding = 'UTF-16le'",
  ])
  func `what SQLite wrote is sound`(settings: String) throws {
    #expect(try isSound(try database(settings)))
  }

  @Test func `an index with other values than its table is not sound, unless it does not matter`()
    throws
  {
    let path = try database()
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'Z_ENT', 'Z_PK') "
        + "WHERE name = 'notes'"
    )
    #expect(try !isSound(path))
    #expect(try isSound(path, except: ["notes"]))
  }

  @Test func `a copy that goes along with the check is the same as one by itself`() throws {
    // 17 MiB: more than is copied at once.
    let path = try database("PRAGMA page_size = 4096")
    try StoreFile(path).execute("INSERT INTO other VALUES ('large', zeroblob(17 * 1024 * 1024))")
    let (alone, along) = (directory.path("alone.sqlite"), directory.path("along.sqlite"))
    for file in [alone, along] { try Data().write(to: URL(fileURLWithPath: file)) }
    try DatabaseCopy(of: SourceFile(path: path), to: alone).finish { false }
    let copy = try DatabaseCopy(of: SourceFile(path: path), to: along)
    var offsets: [Int64] = []
    let isSound = try SourceFile(path: path).isSound(willRead: {
      offsets.append($0)
      copy.advance(through: $0)
    }) { false }
    #expect(isSound)
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(offsets.count == size / 4096, "every page is read once")
    try copy.finish { false }
    #expect(try content(along) == content(alone))
  }

  private func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `a copy that is told to stop stops`() throws {
    let path = try database()
    let target = directory.path("stopped.sqlite")
    try Data().write(to: URL(fileURLWithPath: target))
    let copy = try DatabaseCopy(of: SourceFile(path: path), to: target)
    #expect(throws: SQLiteError.self) { try copy.finish { true } }
  }

  @Test func `a copy cannot be written where there is no file`() throws {
    let path = try database()
    #expect(throws: SQLiteError.self) {
      try DatabaseCopy(of: SourceFile(path: path), to: directory.path("none.sqlite"))
    }
  }

  @Test func `a partial index cannot be checked`() throws {
    let path = try database()
    try StoreFile(path).execute("CREATE INDEX some ON ZNOTE (Z_ENT) WHERE Z_ENT > 3")
    #expect(try !isSound(path))
    #expect(try isSound(path, except: ["some"]))
  }

  @Test func `a table without row ids cannot be checked`() throws {
    let path = try database()
    try StoreFile(path).execute("CREATE TABLE key (a TEXT PRIMARY KEY) WITHOUT ROWID")
    #expect(try !isSound(path))
  }

  @Test func `a check can be stopped`() throws {
    let path = try database()
    #expect(throws: SQLiteError.self) {
      try SourceFile(path: path).isSound { true }
    }
  }

  @Test(arguments: [0, 1] as [UInt64], ["", "; PRAGMA auto_vacuum = INCREMENTAL"])
  func `whatever bit is flipped, SQLite finds nothing wrong with what is sound`(
    seed: UInt64,
    vacuum: String
  ) throws {
    let path = try database("PRAGMA page_size = 512\(vacuum)")
    let bytes = try Files.read(path)
    var random = SeededGenerator(seed: seed)
    var sound = 0
    for trial in 0..<400 {
      var changed = bytes
      let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
      changed[bit / 8] ^= 1 << (bit % 8)
      let copy = directory.path("\(trial).sqlite")
      try Files.write(changed, to: copy)
      guard (try? isSound(copy)) == true else { continue }
      sound += 1
      #expect(try StoreFile(copy).integrity() == [["ok"]], "bit \(bit) of \(bytes.count * 8)")
    }
    // Most bits belong to values, or to nothing.
    #expect(sound > 50)
  }

  /// Such a record shows the default value of the column, which may be of no object.
  @Test func `a record without a column that has a default value may lead anywhere`() throws {
    let path = directory.path("store.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute(
      "CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER); "
        + "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTAG INTEGER); "
        + "INSERT INTO ZTAG VALUES (1, 2); INSERT INTO ZNOTE VALUES (1, 1), (2, NULL); "
        + "ALTER TABLE ZNOTE ADD COLUMN ZOTHER INTEGER DEFAULT 7"
    )
    let census = KeyCensus(["ZNOTE": ["ZTAG", "ZOTHER"], "ZTAG": []], memory: 1 << 20)
    #expect(try SourceFile(path: path).isSound(noting: census) { false })
    #expect(census.leads(from: "ZTAG", of: "ZNOTE", to: "ZTAG"))
    #expect(!census.leads(from: "ZOTHER", of: "ZNOTE", to: "ZTAG"))
  }
}

import BulkTestSupport
import Testing

/// Pages of a source that SQLite cannot read: 40 notes of 900 bytes lie on ten leaves of pages of 4,096 bytes, four on
/// each, in the order of their keys.
@Suite("Copies of damaged stores", .tags(.promise22)) struct SalvageTests {
  enum Damage: CaseIterable {
    /// All of its bytes are 0.
    case zeroed
    /// Its first byte says that it is of an index.
    case otherKind
    /// It says that it has 65,535 rows.
    case manyRows
    /// Its first row begins in the last bytes of the page.
    case farRow
    /// The header of its first record is longer than the record.
    case longHeader
    /// Its first row says that it has 2^49 - 1 bytes.
    case longRow

    func apply(to page: inout [UInt8]) {
      let place = Int(page[8]) << 8 | Int(page[9])
      switch self {
      case .zeroed: page = Array(repeating: 0, count: page.count)
      case .otherKind: page[0] = 10
      case .manyRows: page.replaceSubrange(3..<5, with: [0xFF, 0xFF])
      case .farRow: page.replaceSubrange(8..<10, with: [0x0F, 0xFB])
      // Two bytes for the size of the record and one for its key come before its header.
      case .longHeader: page.replaceSubrange(place + 3..<place + 5, with: [0xFF, 0x7F])
      case .longRow:
        page.replaceSubrange(place..<place + 7, with: Array(repeating: 0xFF, count: 6) + [0x7F])
      }
    }
  }

  private let directory = TemporaryDirectory()
  private let source: StoreFile
  private var copy: String { directory.path("copy.sqlite") }

  private static func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes, [.toOne("next", "Note")]), folder)
  }

  /// Its table has one page.
  private static let folder = EntityDescription("Folder", [.optional("name")])

  /// A folder, and notes 1 to 40, each of which leads to the next one.
  init() throws {
    var store = TestStore(try Self.model(.optional("title")))
    let text = String(repeating: "x", count: 900)
    store.objects = (1...40).map { (key: Int64) in
      TestObject(
        "Note",
        key,
        ["title": .string("\(key) " + text)],
        links: key < 40 ? ["next": [key + 1]] : [:]
      )
    }
    store.objects.append(TestObject("Folder", 1))
    source = try store.write(to: directory.path("source.sqlite"))
    try TestStore.write(store.model, to: directory.path("source.mom"))
    try TestStore.write(
      Self.model(.optional("title"), .optional("more")),
      to: directory.path("destination.mom")
    )
  }

  /// Damages leaves of the notes, counted from 0, and returns their pages.
  @discardableResult
  private func damage(_ leaves: Int..., by damage: Damage = .zeroed) throws -> [Int] {
    let all = try source.leaves(of: "ZNOTE")
    #expect(all.count == 10)
    for leaf in leaves {
      var content = try source.page(all[leaf])
      damage.apply(to: &content)
      try source.write(content, to: all[leaf])
    }
    return leaves.map { all[$0] }
  }

  private func salvage() throws -> [LostPage] {
    try SalvagedStore.write(source.path, to: copy) { _ in }.lost
  }

  private func plan(of store: String) throws -> MigrationPlan {
    var request = PlanRequest(in: directory)
    request.source = store
    return try Planner.plan(request)
  }

  @Test(arguments: Damage.allCases)
  func `the copy has all rows but those of a leaf that cannot be read`(damage: Damage) throws {
    let pages = try self.damage(2, by: damage)
    let before = try Files.read(source.path)
    let lost = try salvage()
    #expect(try Files.read(source.path) == before)
    #expect(
      lost.map(\.description)
        == ["page \(pages[0]) of table ZNOTE, with the rows of keys 9 to 12"]
    )
    #expect(lost.map(\.rows) == [4])
    #expect(lost.map(\.isUpperBound) == [nil])
    let made = StoreFile(copy)
    #expect(try made.integrity() == [["ok"]])
    let keys = try made.rows("SELECT Z_PK FROM ZNOTE ORDER BY 1").map { $0[0] }
    #expect(keys == (Array(1...8) + Array(13...40)).map { .integer($0) })
    #expect(try made.rows("SELECT count(*) FROM ZFOLDER") == [[1]])
    #expect(
      try made.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == [[40]]
    )
    #expect(try directory.contents().filter { $0.contains("salvage") } == [])
  }

  @Test func `plan and run repeat what was lost`() throws {
    try damage(2, 3)
    _ = try salvage()
    let plan = try plan(of: copy)
    let line = "the store was salvaged from one with damaged pages; rows lost: 8 of ZNOTE"
    #expect(plan.source.salvage == line)
    #expect(plan.warnings == [line])
    #expect(plan.losses == [])
    #expect(try Migration(inTestProcess: plan).run().rows == 33)
    let made = try PersistentStore(path: plan.destination.store)
    #expect(made.metadata.salvage == line)
    // Note 8 leads to note 9 still, as Core Data would keep it.
    #expect(
      try StoreFile(plan.destination.store).rows("SELECT ZNEXT FROM ZNOTE WHERE Z_PK = 8") == [[9]]
    )
  }

  @Test func `what is lost of a copy is added`() throws {
    try damage(2)
    _ = try salvage()
    let again = StoreFile(copy)
    try again.write(Array(repeating: 0, count: 4096), to: again.leaves(of: "ZNOTE")[0])
    let other = directory.path("other.sqlite")
    #expect(try SalvagedStore.write(copy, to: other) { _ in }.lost.map(\.rows) == [4])
    #expect(
      try PersistentStore(path: other).metadata.salvage
        == "the store was salvaged from one with damaged pages; rows lost: 8 of ZNOTE"
    )
  }

  @Test func `other commands refuse the pages by name`() throws {
    let pages = try damage(2, 5)
    let text = failure { try plan(of: source.path) }
    #expect(
      text
        == "\(source.path) is damaged: page \(pages[0]) of table ZNOTE, with the rows of keys 9 to 12, and 1 more cannot be "
        + "read; bulkmigrate salvage STORE -o COPY makes a copy without them"
    )
    #expect(throws: PlanError.self) { try Inspection.inspect(source.path) }
  }

  @Test func `the first and the last leaf have no bound`() throws {
    try damage(0, 1, 2, 9)
    let lost = try salvage()
    #expect(lost.map(\.firstKey) == [nil, 5, 9, 37])
    #expect(lost.map(\.lastKey) == [4, 8, 12, nil])
    #expect(try StoreFile(copy).rows("SELECT min(Z_PK), count(*) FROM ZNOTE") == [[13, 24]])
  }

  @Test func `a table of which no leaf can be read is empty`() throws {
    try damage(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, by: .manyRows)
    #expect(try salvage().count == 10)
    #expect(try StoreFile(copy).rows("SELECT count(*) FROM ZNOTE") == [[0]])
  }

  @Test func `a leaf with a value that cannot be read is lost`() throws {
    try source.execute("UPDATE ZNOTE SET ZTITLE = hex(zeroblob(20000)) WHERE Z_PK = 40")
    let page = try source.rows(
      "SELECT pageno FROM dbstat WHERE name = 'ZNOTE' AND pagetype = 'overflow' ORDER BY path LIMIT 1"
    )
    guard case .integer(let number)? = page.first?.first else { return }
    try source.write(Array(repeating: 0xFF, count: 4096), to: Int(number))
    #expect(try salvage().map(\.lastKey) == [nil])
    #expect(try StoreFile(copy).rows("SELECT max(Z_PK) < 40 FROM ZNOTE") == [[1]])
  }

  @Test func `the root of a table cannot be left out`() throws {
    try source.write(Array(repeating: 0, count: 4096), to: source.root(of: "ZNOTE"))
    #expect(failure { try salvage() }.contains("so much of table ZNOTE is damaged"))
    #expect(throws: PlanError.self) { try plan(of: source.path) }
  }

  @Test func `a copy that is not allowed leaves nothing`() throws {
    struct TooMany: Error {}
    try damage(2)
    let names = try directory.contents()
    #expect(throws: TooMany.self) {
      try SalvagedStore.write(source.path, to: copy) { _ in throw TooMany() }
    }
    #expect(try directory.contents() == names)
    try Files.write([], to: copy)
    #expect(throws: MigrationError.self) { try salvage() }
    #expect(try Files.read(copy) == [])
  }

  @Test func `a copy that is stopped leaves nothing, at whatever stage`() throws {
    try damage(2)
    let names = try directory.contents()
    var stages: [String] = []
    for wanted in ["copying the store", "looking for damaged pages", "rebuilding the copy"] {
      let error = #expect(throws: MigrationError.self) {
        try SalvagedStore.write(source.path, to: copy) { stage, _ in
          stages.append(stage)
          return stage == wanted
        } allow: { _ in
        }
      }
      guard case .cancelled? = error else {
        Issue.record("\(wanted): \(String(describing: error)), after \(stages)")
        continue
      }
      #expect(try directory.contents() == names)
    }
  }

  @Test func `the drafts of killed attempts are removed, and no others`() throws {
    let names = try directory.contents()
    try Files.write([1], to: "\(copy).salvage-dead")
    try FileManager.default.createDirectory(
      atPath: "\(copy).salvage-dead.values",
      withIntermediateDirectories: false
    )
    try Files.write([1], to: "\(copy).salvage-held")
    let held = open("\(copy).salvage-held", O_RDONLY)
    defer { close(held) }
    #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
    _ = try salvage()
    #expect(
      try directory.contents().sorted()
        == (names + ["copy.sqlite", "copy.sqlite.salvage-held"]).sorted()
    )
  }

  @Test func `without an index their number is at most that of the keys`() throws {
    for name in try source.rows("SELECT name FROM sqlite_schema WHERE type = 'index'") {
      guard case .text(let name) = name[0] else { continue }
      try source.execute("DROP INDEX \"\(name)\"")
    }
    try damage(2, 9)
    let lost = try salvage()
    #expect(lost.map(\.rows) == [4, 4])
    #expect(lost.map(\.isUpperBound) == [true, true])
    #expect(
      try PersistentStore(path: copy).metadata.salvage
        == "the store was salvaged from one with damaged pages; rows lost: at most 8 of ZNOTE"
    )
  }

  /// 60 notes with 40 tags each, of which a page holds some hundreds.
  ///
  /// Of ordered pairs the index is smaller than the table, so that SQLite counts its entries instead.
  @Test(arguments: [false, true], [false, true])
  func `a page of pairs is lost with its rows`(isLast: Bool, isOrdered: Bool) throws {
    var store = TestStore(
      try .of(
        .init("Note", [.optional("title")], [.toMany("tags", "Tag.notes", isOrdered: isOrdered)]),
        .init("Tag", [], [.toMany("notes", "Note.tags")])
      )
    )
    store.objects = (1...40).map { TestObject("Tag", $0) }
    store.objects += (1...60).map {
      TestObject("Note", $0, ["title": .string("note \($0)")], links: ["tags": Array(1...40)])
    }
    let source = try store.write(to: directory.path("pairs.sqlite"))
    let leaves = try source.leaves(of: "Z_1TAGS")
    let page = leaves[isLast ? leaves.count - 1 : 1]
    let content = try source.page(page)
    // The rows of a leaf are as many as its header says.
    let rows = Int64(content[3]) << 8 | Int64(content[4])
    try source.write(Array(repeating: 0, count: 4096), to: page)
    #expect(throws: PlanError.self) { try plan(of: source.path) }
    let lost = try SalvagedStore.write(source.path, to: copy) { _ in }.lost
    #expect(lost.map(\.rows) == [rows])
    #expect(lost.map(\.table) == ["Z_1TAGS"])
    #expect(
      try StoreFile(copy).rows("SELECT count(*), (SELECT count(*) FROM ZNOTE) FROM Z_1TAGS")
        == [[.integer(2_400 - rows), 60]]
    )
  }

  @Test func `values beside the store are copied`() throws {
    let values = ExternalBinaryData.supportFolder(of: source.path)
    try FileManager.default.createDirectory(
      atPath: values + "/_EXTERNAL_DATA",
      withIntermediateDirectories: true
    )
    try Files.write([1, 2, 3], to: values + "/_EXTERNAL_DATA/A")
    #expect(try salvage() == [])
    #expect(
      try Files.read(ExternalBinaryData.supportFolder(of: copy) + "/_EXTERNAL_DATA/A") == [1, 2, 3]
    )
    #expect(try PersistentStore(path: copy).metadata.salvage == nil)
  }
}

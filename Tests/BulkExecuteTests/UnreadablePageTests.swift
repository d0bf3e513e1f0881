import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import BulkVersions
import Foundation
import Testing

/// Pages of a source that SQLite cannot read: 40 notes of 900 bytes lie on ten leaves of pages of 4,096 bytes, four on
/// each, in the order of their keys.
@Suite("Unreadable pages", .tags(.promise22)) struct UnreadablePageTests {
  /// What is wrong with a page.
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

  private static let text = String(repeating: "x", count: 900)

  private static func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes, [.toOne("next", "Note")]), folder)
  }

  /// Its table has one page.
  private static let folder = EntityDescription("Folder", [.optional("name")])

  /// A folder, and notes 1 to 40, each of which leads to the next one.
  private static func store() throws -> TestStore {
    var store = TestStore(try model(.optional("title")))
    store.objects = (1...40).map { (key: Int64) in
      TestObject(
        "Note",
        key,
        ["title": .string("\(key) " + text)],
        links: key < 40 ? ["next": [key + 1]] : [:]
      )
    }
    store.objects.append(TestObject("Folder", 1))
    return store
  }

  /// A store of which some leaves are damaged, counted from 0, planned for another model or by a mapping.
  private func planned(
    _ damage: Damage,
    of leaves: [Int],
    isMapped: Bool = false,
    after change: (StoreFile) throws -> Void = { _ in }
  ) throws -> (planned: Planned, pages: [Int]) {
    var pages: [Int] = []
    let more = AttributeDescription.optional("more")
    let planned = try Planned(
      Self.store(),
      to: isMapped ? Self.model(.required("title"), more) : Self.model(more, .optional("title")),
      by: isMapped
        ? [
          .of(
            "Note",
            "Note",
            ["title": "$source.title"],
            ["next": instances("NoteToNote", "$source.next")]
          )
        ] : nil
    ) { source in
      try change(source)
      guard !leaves.isEmpty else { return }
      let all = try source.leaves(of: "ZNOTE")
      #expect(all.count == 10)
      pages = leaves.map { all[$0] }
      for page in pages {
        var content = try source.page(page)
        damage.apply(to: &content)
        try source.write(content, to: page)
      }
    }
    return (planned, pages)
  }

  private static func quarantine(
    _ limit: RejectPolicy.Limit = .all,
    dependants: RejectPolicy.Dependants = .nullify
  ) -> (inout Migration) -> Void {
    { $0.rejects = RejectPolicy(.quarantine, dependants: dependants, limit: limit) }
  }

  @Test(arguments: Damage.allCases)
  func `the rows of a leaf that cannot be read are left out, and links to them`(
    damage: Damage
  ) throws {
    let (planned, pages) = try planned(damage, of: [2])
    let before = try Files.read(planned.source.path)
    let outcome = try planned.run(Self.quarantine())
    #expect(try Files.read(planned.source.path) == before)
    #expect(outcome.rows == 37)
    #expect(outcome.rejected == 4)
    #expect(!outcome.mayHaveRejectedFewer)
    // The index of the relationship still has entries of the four rows.
    #expect(
      outcome.lossLines == [
        "4 objects of Note: they are on pages that cannot be read",
        // A key in the range of the page may have led nowhere before.
        "at most 1 link of Note.next: they lead to objects on pages that cannot be read",
      ]
    )
    let keys = try planned.made.rows("SELECT Z_PK FROM ZNOTE ORDER BY 1").map { $0[0] }
    #expect(keys == (Array(1...8) + Array(13...40)).map { .integer($0) })
    // Note 8 led to note 9.
    #expect(
      try planned.made.rows("SELECT Z_PK FROM ZNOTE WHERE ZNEXT IS NULL") == [[8], [40]]
    )
    #expect(
      try planned.made.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == [[40]]
    )
    let folder = try #require(outcome.rejectFolderPath)
    #expect(
      try String(contentsOfFile: "\(folder)/Note.jsonl", encoding: .utf8)
        == #"{"entity": "Note", "table": "ZNOTE", "page": \#(pages[0]), "keys": [9, 12]}"#
        + "\n"
    )
  }

  @Test func `where rows get new keys, links to rows that cannot be read lead nowhere`() throws {
    let (planned, pages) = try planned(.zeroed, of: [0, 9], isMapped: true)
    let outcome = try planned.run(Self.quarantine())
    #expect(outcome.rows == 32)
    #expect(outcome.rejected == 8)
    #expect(
      outcome.lossLines.filter { $0.contains("link") } == [
        "at most 1 link of Note.next: they lead to objects on pages that cannot be read"
      ]
    )
    #expect(
      try planned.made.rows("SELECT Z_PK FROM ZNOTE WHERE ZNEXT IS NULL") == [[36]]
    )
    let folder = try #require(outcome.rejectFolderPath)
    #expect(
      try String(contentsOfFile: "\(folder)/Note.jsonl", encoding: .utf8)
        == #"{"entity": "Note", "table": "ZNOTE", "page": \#(pages[0]), "keys": [null, 4]}"#
        + "\n"
        + #"{"entity": "Note", "table": "ZNOTE", "page": \#(pages[1]), "keys": [37, null]}"#
        + "\n"
    )
  }

  @Test func `dependants are left out where they are asked to be, to the end of the chain`() throws
  {
    let planned = try planned(.otherKind, of: [2]).planned
    let outcome = try planned.run(Self.quarantine(dependants: .reject))
    // Notes 1 to 8 lead to note 9, the first of four that cannot be read.
    #expect(outcome.rejected == 12)
    #expect(try planned.made.rows("SELECT min(Z_PK), count(*) FROM ZNOTE") == [[13, 28]])
  }

  @Test func `several leaves in a row may be damaged`() throws {
    let planned = try planned(.zeroed, of: [0, 1, 2, 3]).planned
    #expect(try planned.run(Self.quarantine()).rows == 25)
    #expect(try planned.made.rows("SELECT min(Z_PK), count(*) FROM ZNOTE") == [[17, 24]])
  }

  @Test func `without quarantine the run is refused, with the page and what to do`() throws {
    let (planned, pages) = try planned(.zeroed, of: [2])
    let place = "page \(pages[0]) of table ZNOTE, with the rows of keys 9 to 12 cannot be read; "
    #expect(
      planned.plan.warnings.first
        == place + "a run with --on-error quarantine leaves these rows out"
    )
    #expect(planned.plan.damage?.map(\.firstKey) == [9])
    #expect(planned.plan.damage?.map(\.lastKey) == [12])
    #expect(
      failure(of: planned)
        == "DIR/source.sqlite is damaged: \(place)--on-error quarantine leaves these rows out; "
        + "no destination was made"
    )
  }

  @Test func `the root of a table cannot be passed over`() throws {
    #expect(throws: PlanError.self) {
      try planned(.zeroed, of: []) {
        try $0.write(Array(repeating: 0, count: 4096), to: $0.root(of: "ZNOTE"))
      }
    }
  }

  @Test func `a migration that is done has nothing to resume, whatever is damaged`() throws {
    let planned = try planned(.zeroed, of: [2]).planned
    try planned.run(Self.quarantine())
    let error = #expect(throws: MigrationError.self) {
      try Migration(inTestProcess: planned.plan).run(.resume)
    }
    guard case .nothingToResume? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "nothing")")
      return
    }
  }

  @Test func `more rows of pages than may be left out are refused`() throws {
    let planned = try planned(.zeroed, of: [2, 4]).planned
    #expect(throws: MigrationError.self) { try planned.run(Self.quarantine(.count(7))) }
    #expect(try planned.run(Self.quarantine(.count(8))).rows == 33)
  }

  @Test func `rows that cannot be read are losses`() throws {
    let planned = try planned(.zeroed, of: [2]).planned
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    migration.lossLimit = .count(4)
    #expect(throws: MigrationError.self) { try migration.run() }
    #expect(!planned.isMade)
    migration.lossLimit = .count(5)
    #expect(try migration.run(.resume).rows == 37)
  }

  @Test func `without an index their number is at most that of the keys`() throws {
    let (planned, _) = try planned(.zeroed, of: [2, 9]) { source in
      for name in try source.rows("SELECT name FROM sqlite_schema WHERE type = 'index'") {
        guard case .text(let name) = name[0] else { continue }
        try source.execute("DROP INDEX \"\(name)\"")
      }
    }
    let plan = planned.plan
    #expect(plan.damage?.map(\.rows) == [4, 4])
    #expect(plan.damage?.map(\.isUpperBound) == [true, true])
    #expect(
      plan.losses.map(\.description) == [
        "at most 8 objects of Note: they are on pages that cannot be read",
        "at most 2 links of Note.next: they lead to objects on pages that cannot be read",
      ]
    )
    let outcome = try planned.run(Self.quarantine())
    #expect(outcome.rejected == 8)
    #expect(outcome.mayHaveRejectedFewer)
  }
}

import BulkTestSupport
import Testing

/// Values of more than 1 MiB, which are streamed where they are only carried.
struct LargeValueTests {
  private static let note = EntityDescription(
    "Note",
    [
      .optional("image", .binaryData), .optional("sketch", .binaryData), .optional("title"),
      .optional("token", .uuid),
    ]
  )

  /// The notes of the destination.
  private static let grown = EntityDescription(
    "Note",
    note.attributes + [.optional("stars", .integer16)]
  )

  private static func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) ^ seed }
  }

  private static let token = AttributeValue.uuid(UUID())

  /// Large values of two columns, one behind the other, among small ones.
  private static func store() throws -> TestStore {
    TestStore(
      try .of(note),
      TestObject("Note", 1, ["title": "a", "image": .binary([1, 2, 3])]),
      TestObject(
        "Note",
        2,
        [
          "title": "b", "image": .binary(bytes(3_000_000, 1)), "sketch": .binary([4, 5, 6]),
          "token": token,
        ]
      ),
      TestObject("Note", 3, ["title": "c"]),
      TestObject(
        "Note",
        4,
        ["image": .binary(bytes(2_000_000, 2)), "sketch": .binary(bytes(1_500_000, 3))]
      ),
      TestObject("Note", 5, ["title": "e", "sketch": .binary(bytes(1_000_000, 4))])
    )
  }

  private static let columns = ["Z_PK", "ZTITLE", "ZIMAGE", "ZSKETCH", "ZTOKEN"]

  private func rows(_ store: StoreFile, _ table: String = "ZNOTE") throws -> [[StoredValue]] {
    try store.rows("SELECT \(Self.columns.joined(separator: ", ")) FROM \(table) ORDER BY Z_PK")
  }

  @Test func `they are carried when other columns change`() throws {
    let migrated = try migrate(
      Self.store(),
      to: .of(Self.grown)
    )
    #expect(migrated.plan.memory.streamedTables == ["ZNOTE"])
    #expect(migrated.plan.memory.largestRow == nil)
    #expect(try rows(migrated.destination) == rows(migrated.source))
  }

  @Test func `they are carried where rows stay as they are`() throws {
    let migrated = try migrate(
      Self.store(),
      to: .of(EntityDescription("Page", id: "Note", Self.note.attributes))
    )
    #expect(try rows(migrated.destination, "ZPAGE") == rows(migrated.source))
  }

  @Test func `they are carried where other attributes are evaluated`() throws {
    let migrated = try migrate(
      Self.store(),
      to: .of(Self.grown),
      by: .of(
        "Note",
        "Note",
        [
          "title": "uppercase:($source.title)", "image": "$source.image",
          "sketch": "$source.sketch", "token": "$source.token",
        ]
      )
    )
    let expected = try rows(migrated.source).map { row in
      var row = row
      if case .text(let title) = row[1] { row[1] = .text(title.uppercased()) }
      return row
    }
    #expect(migrated.plan.memory.streamedTables == ["ZNOTE"])
    #expect(try rows(migrated.destination) == expected)
  }

  @Test func `one that is not only carried must be held, and the plan says which`() throws {
    let text = String(repeating: "ä", count: 700_000)
    let planned = try Planned(
      TestStore(
        .of(Self.note),
        TestObject("Note", 1, ["title": "a"]),
        TestObject("Note", 7, ["title": .string(text)])
      ),
      to: .of(Self.grown)
    )
    let row = try #require(planned.plan.memory.largestRow)
    #expect(row.entity == "Note")
    #expect(row.key == 7)
    #expect(row.property == "title")
    #expect(row.bytes == 1_400_000)
    let share = planned.plan.passes.flatMap(\.memory).first { $0.use == .largestRow }
    // Three times the record: the text, its header, and small columns.
    #expect(share.map { (4_200_000..<4_200_300).contains($0.leastBytes) } == true)
    #expect(planned.plan.memory.streamedTables == [])
  }

  @Test func `a limit that is too small for one names it`() throws {
    let planned = try Planned(
      TestStore(
        .of(Self.note),
        TestObject("Note", 7, ["title": .string(String(repeating: "x", count: 2_000_000))])
      ),
      to: .of(Self.grown)
    )
    let before = try planned.directory.bytes()
    var migration = Migration(planned.plan)
    migration.baseMemory = .mebibytes(20)
    migration.memoryLimit = .mebibytes(8)
    let text = failure { try migration.run() }
    let needed = planned.plan.smallestMemoryLimit(base: .mebibytes(20))
    #expect(
      text
        == "--max-memory 8 MiB is too small: this migration needs at least \(needed), because title "
        + "of Note 7 has 1.9 MiB and must be held; nothing was started"
    )
    #expect(try planned.directory.bytes() == before)
  }
}

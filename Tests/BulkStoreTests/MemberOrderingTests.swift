import BulkTestSupport
import Testing

struct MemberOrderingTests {
  private let directory = TemporaryDirectory()
  private let destination: String
  private let session: StoreSession

  init() throws {
    destination = directory.path("destination.sqlite")
    let source = directory.path("source.sqlite")
    try Connection(path: source, access: .readWrite).execute("CREATE TABLE x (a)")
    session = try StoreSession(destination, readingFrom: source)
  }

  /// The places in the order of keys after those that are missing were given.
  private func positions(rows: [String], indexed: Bool = true) throws -> [SQLiteValue] {
    try StoreBuilder(session).create(
      "CREATE TABLE ZPAGE (Z_PK INTEGER PRIMARY KEY, ZBOOK INTEGER, Z_FOK_BOOK)"
    )
    if indexed { try StoreBuilder(session).create("CREATE INDEX i ON ZPAGE (ZBOOK)") }
    if !rows.isEmpty {
      try StoreBuilder(session).create("INSERT INTO ZPAGE VALUES \(rows.joined(separator: ", "))")
    }
    let ordering = MemberOrdering(
      table: "ZPAGE",
      ownerColumn: "ZBOOK",
      memberColumn: "Z_PK",
      orderColumn: "Z_FOK_BOOK"
    )
    try ordering.assignPositions(session)
    let reader = try Connection(path: destination, access: .source)
    let statement = try reader.prepare("SELECT Z_FOK_BOOK FROM ZPAGE ORDER BY Z_PK")
    var result: [SQLiteValue] = []
    while try statement.step() { result.append(statement.value(at: 0)) }
    return result
  }

  // Source of 2048 and 1024: formats/store.md 4.3.
  @Test(arguments: [true, false])
  func `members of each owner get 2048, 3072, 4096 … by their keys`(indexed: Bool) throws {
    let rows = ["(7, 1, NULL)", "(-3, 1, NULL)", "(9, 2, NULL)", "(8, 2, NULL)", "(10, 1, NULL)"]
    #expect(
      try positions(rows: rows, indexed: indexed)
        == [2048, 3072, 2048, 3072, 4096].map { .integer($0) }
    )
  }

  @Test(
    arguments: [
      ([], []),
      // A row without an owner gets no place.
      (["(1, NULL, NULL)", "(2, 5, NULL)"], [.null, .integer(2048)]),
      // Members that have places keep them, and others follow.
      (
        ["(1, 1, 512)", "(2, 1, NULL)", "(3, 1, 5000)", "(4, 1, NULL)", "(5, 2, NULL)"],
        [512, 6024, 5000, 7048, 2048].map { .integer($0) }
      ),
      // Owners and members may have any keys.
      (
        ["(\(Int64.min), \(Int64.max), NULL)", "(\(Int64.max), \(Int64.max), NULL)"],
        [.integer(2048), .integer(3072)]
      ),
    ] as [([String], [SQLiteValue])]
  )
  func `rows get their places`(rows: [String], expected: [SQLiteValue]) throws {
    #expect(try positions(rows: rows) == expected)
  }

  @Test(arguments: [0, 1, 1023, 1024, 2047])
  func `behind the greatest place of all the last ones share it`(distance: Int64) throws {
    let last = Int64.max - distance
    let found = try positions(rows: [
      "(1, 1, \(last))", "(2, 1, NULL)", "(3, 1, NULL)", "(4, 1, NULL)",
    ])
    let numbers = found.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    #expect(numbers.count == 4)
    #expect(numbers.sorted() == numbers)
  }

  @Test func `many members get their places in one pass`() throws {
    let rows = (1...5_000).map { "(\($0), \($0 % 7), NULL)" }
    let found = try positions(rows: rows)
    #expect(found[4_999] == .integer(2048 + 1024 * 714))
    #expect(found[0] == .integer(2048))
  }

  @Test func `pairs of a join table get places too, whatever the names`() throws {
    let name = "Z_1\"x; --"
    let quoted = SQLText.quoted(name)
    try StoreBuilder(session).create(
      "CREATE TABLE \(quoted) (\"o'\" INTEGER, \"m\"\"\", p, PRIMARY KEY (\"o'\", \"m\"\"\"))"
    )
    try StoreBuilder(session).create(
      "INSERT INTO \(quoted) VALUES (2, 9, NULL), (1, 5, NULL), (2, 3, NULL)"
    )
    try MemberOrdering(table: name, ownerColumn: "o'", memberColumn: "m\"", orderColumn: "p")
      .assignPositions(session)
    let reader = try Connection(path: destination, access: .source)
    #expect(
      try reader.value("SELECT group_concat(p) FROM (SELECT p FROM \(quoted) ORDER BY rowid)")
        == .text("3072,2048,2048")
    )
  }
}

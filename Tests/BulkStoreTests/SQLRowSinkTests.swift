import BulkTestSupport
import Testing

struct SQLRowSinkTests {
  private let directory = TemporaryDirectory()
  private let session: StoreSession
  private let sink: SQLRowSink

  init() throws {
    let source = try Connection(path: directory.path("source.sqlite"), access: .readWrite)
    try source.execute("CREATE TABLE ZS (Z_PK INTEGER PRIMARY KEY, a)")
    try source.execute("CREATE INDEX i ON ZS (a)")
    try source.execute("INSERT INTO ZS VALUES (1, 'x'), (2, 'y'), (5, 'x')")
    session = try StoreSession(
      directory.path("destination.sqlite"),
      readingFrom: directory.path("source.sqlite")
    )
    sink = SQLRowSink(session)
    try StoreBuilder(session).create("CREATE TABLE ZD (Z_PK INTEGER PRIMARY KEY, a)")
  }

  private func rows() throws -> SQLiteValue? {
    try Connection(path: directory.path("destination.sqlite"), access: .source)
      .value("SELECT group_concat(Z_PK || ifnull(a, '-')) FROM ZD")
  }

  private static let copy = RowTransfer(
    to: "ZD",
    from: "ZS",
    [.init("Z_PK", .column("Z_PK")), .init("a", .column("a"))]
  )

  @Test func `rows that are appended stand in their table, whatever columns they leave out`() throws
  {
    try sink.fill("ZD", ["Z_PK", "a"]) {
      try $0.append([.integer(1), .text("x")])
    }
    try sink.fill("ZD", ["Z_PK"]) {
      try $0.append([.integer(2), .integer(3)])
    }
    #expect(try rows() == .text("1x,2-,3-"))
  }

  @Test func `every way to write rows counts them, unless counting is paused`() throws {
    try sink.fill("ZD", ["Z_PK"]) {
      try $0.append([.integer(-2), .integer(-1)])
    }
    #expect(sink.counted.rows == 2)
    try sink.fill(by: [Self.copy]) { _ = try $0(1...2) }
    #expect(sink.counted.rows == 4)
    sink.counted.setPaused(to: true)
    try sink.fill(by: [Self.copy]) { _ = try $0(3...9) }
    #expect(sink.counted.rows == 4)
    #expect(try rows() == .text("-2-,-1-,1x,2y,5x"))
  }

  @Test func `rows outside of a batch are a transaction, those inside are its`() throws {
    try sink.fill("ZD", ["Z_PK"]) { rows in
      try rows.append([.integer(1), .integer(2)])
      #expect(session.transactions.count == 2)
      try session.transactions.batch {
        try rows.append([.integer(3)])
        try rows.append([.integer(4)])
      }
    }
    #expect(session.transactions.count == 3)
  }

  @Test
  func `a unique index against which rows stand is not made, and neither is one known to be so`()
    throws
  {
    let person = EntityDescription("Person", [.optional("name")], unique: [["name"]])
    let schema = StoreSchema(
      try ManagedObjectModel.of(person)
    )
    let index = try #require(schema.indexes.first)
    let builder = StoreBuilder(session)
    try builder.createTables(StoreDefinition(schema))
    #expect(try sink.make(index, isKnownToConflict: true) == false)
    try sink.fill("ZPERSON", ["Z_PK", "ZNAME"]) { rows in
      try rows.append([.integer(1), .text("x"), .integer(2), .text("x")])
    }
    #expect(try sink.make(index, isKnownToConflict: false) == false)
    try builder.create("DELETE FROM ZPERSON WHERE Z_PK = 2")
    #expect(try sink.make(index, isKnownToConflict: false))
    #expect(try builder.schema().objects.map(\.name) == ["Z_Person_UNIQUE_name"])
  }
}

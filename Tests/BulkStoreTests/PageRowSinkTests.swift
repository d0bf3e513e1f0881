import BulkTestSupport
import Testing

struct PageRowSinkTests {
  private let directory = TemporaryDirectory()
  private let session: StoreSession
  private let sink: PageRowSink

  init() throws {
    session = try StoreSession(directory.path("store.sqlite"))
    try StoreBuilder(session).create("CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER)")
    sink = PageRowSink(session, PageFills([], indexes: []))
  }

  private func fill(_ values: [SQLiteValue]) throws {
    try sink.fill("t", ["k", "a"]) { rows in
      try rows.append(values)
    }
  }

  @Test func `a column of which all rows are known has no NULL`() throws {
    try fill([.integer(1), .integer(5)])
    #expect(sink.knowsNoNull(in: "a", of: "t"))
  }

  @Test func `what is known of a table is forgotten when it gets more rows`() throws {
    try fill([.integer(1), .integer(5)])
    try fill([.integer(2), .null])
    #expect(!sink.knowsNoNull(in: "a", of: "t"))
  }

  #if os(Linux)
  /// The number of times that this process has a file open, as the system lists them (proc(5)).
  private func timesOpen(_ path: String) throws -> Int {
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }.count
  }

  @Test func `a file whose rows fail is closed`() throws {
    let path = directory.path("failing.sqlite")
    do {
      let session = try StoreSession(path)
      try StoreBuilder(session).create("CREATE TABLE t (k INTEGER PRIMARY KEY)")
      let sink = PageRowSink(session, PageFills([], indexes: []))
      #expect(throws: StoreError.self) {
        try sink.fill("t", ["k"]) { rows in
          try rows.append(row: [2, 1])
        }
      }
      #expect(try timesOpen(path) > 0)
    }
    #expect(try timesOpen(path) == 0)
  }
  #endif
}

import BulkModel
import BulkSQLite
import BulkStore
import BulkTestSupport
import Testing

/// The value is that of a view's column, which SQLite cannot compute for row 4.
@Suite("Single values of rows")
struct SingleValueTests {
  private static let large = 70_000

  private let directory: TemporaryDirectory
  private let source: Connection
  private let session: StoreSession
  private let value: SingleValue

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.path("source.sqlite")
    source = try Connection(path: path, access: .readWrite)
    try source.execute("PRAGMA synchronous = OFF")
    try source.execute("CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, b)")
    try source.execute("CREATE VIEW ZS AS SELECT Z_PK, iif(abs(b) > 0, b, b) AS a FROM T")
    try source.execute(
      "INSERT INTO T VALUES (-7, 'below'), (1, 'one'), (2, 'two'), (4, -9223372036854775808), "
        + "(5, 'five'), (6, replace(hex(zeroblob(\(Self.large / 2))), '0', 'x')), (9, NULL)"
    )
    session = try StoreSession(
      path: directory.path("destination.sqlite"),
      readingFrom: SourceFile(path: path),
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 1000, source: 1000)
    )
    value = try SingleValue(
      .column("a"),
      of: AttributeDescription("a", .string),
      in: "ZS",
      store: path,
      session
    )
  }

  @Test(arguments: [
    [-7, 1, 2, 5, 9], [9, 5, 2, 1, -7], [5, 5, 2, 2, 5], [2, 5, 1, 9], [.min, 1, .max, 2],
  ])
  func `each key has its value, in any order`(_ keys: [Int64]) throws {
    let expected: [Int64: AttributeValue] = [
      -7: .string("below"), 1: .string("one"), 2: .string("two"), 5: .string("five"),
    ]
    for key in keys { #expect(try value.value(at: key) == expected[key] ?? .null) }
  }

  @Test(arguments: [3, 7, 8, 10] as [Int64])
  func `a key without a row has none`(_ key: Int64) throws {
    #expect(try value.value(at: 2) == .string("two"))
    #expect(try value.value(at: key) == .null)
    #expect(try value.value(at: 5) == .string("five"))
  }

  @Test func `a row that cannot be read fails alone`() throws {
    #expect(try value.value(at: 2) == .string("two"))
    #expect(throws: StoreError.self) { try value.value(at: 4) }
    #expect(try value.value(at: 5) == .string("five"))
  }

  @Test func `a large value is read, and the one behind it`() throws {
    let text = String(repeating: "x", count: Self.large)
    for key: Int64 in [5, 6, 6] {
      #expect(try value.value(at: key) == (key == 5 ? .string("five") : .string(text)))
    }
    #expect(try value.value(at: 9) == .null)
  }

  @Test func `reading ends where it is ended`() throws {
    #expect(try value.value(at: 1) == .string("one"))
    value.end()
    try session.connection.execute("DETACH source")
  }
}

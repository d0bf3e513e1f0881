import BulkTestSupport
import Testing

/// The value is that of a view's column, which SQLite cannot compute for row 4.
struct ObjectValuesTests {
  private static let large = 70_000

  private let directory = TemporaryDirectory()
  private let source: Connection
  private let session: StoreSession
  private let value: ObjectValues

  init() throws {
    let path = directory.path("source.sqlite")
    source = try Connection(path: path, access: .readWrite)
    try source.execute("PRAGMA synchronous = OFF")
    try source.execute("CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, b)")
    try source.execute("CREATE VIEW ZS AS SELECT Z_PK, iif(abs(b) > 0, b, b) AS a FROM T")
    try source.execute(
      "INSERT INTO T VALUES (-7, 'below'), (1, 'one'), (2, 'two'), (4, -9223372036854775808), "
        + "(5, 'five'), (6, replace(hex(zeroblob(\(Self.large / 2))), '0', 'x')), (9, NULL)"
    )
    session = try StoreSession(directory.path("destination.sqlite"), readingFrom: path)
    value = try ObjectValues(
      [SelectedColumn(.column("a"), of: AttributeDescription("a", .string))],
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
    for key in keys { #expect(try value.value(0, at: key) == expected[key] ?? .null) }
  }

  @Test(arguments: [3, 7, 8, 10] as [Int64])
  func `a key without a row has none`(_ key: Int64) throws {
    #expect(try value.value(0, at: 2) == .string("two"))
    #expect(try value.value(0, at: key) == .null)
    #expect(try value.value(0, at: 5) == .string("five"))
  }

  @Test func `a row that cannot be read fails alone`() throws {
    #expect(try value.value(0, at: 2) == .string("two"))
    #expect(throws: StoreError.self) { try value.value(0, at: 4) }
    #expect(try value.value(0, at: 5) == .string("five"))
  }

  @Test func `a large value is read, and the one behind it`() throws {
    let text = String(repeating: "x", count: Self.large)
    for key: Int64 in [5, 6, 6] {
      #expect(try value.value(0, at: key) == (key == 5 ? .string("five") : .string(text)))
    }
    #expect(try value.value(0, at: 9) == .null)
  }

  @Test func `several values of a row are read by their indexes`() throws {
    let values = try ObjectValues(
      [
        SelectedColumn(.column("Z_PK"), of: AttributeDescription("key", .integer64)),
        SelectedColumn(.column("a"), of: AttributeDescription("a", .string)),
      ],
      in: "ZS",
      store: directory.path("source.sqlite"),
      session
    )
    #expect(try values.value(1, at: 2) == .string("two"))
    #expect(try values.value(0, at: 2) == .integer(2))
    #expect(try values.value(0, at: 5) == .integer(5))
    #expect(try values.value(0, at: 3) == .null)
    // The whole row cannot be read if one of them cannot.
    #expect(throws: StoreError.self) { try values.value(0, at: 4) }
    #expect(try values.value(0, at: 6) == .integer(6))
    #expect(try values.value(1, at: 6) == .string(String(repeating: "x", count: Self.large)))
    #expect(try values.value(0, at: 6) == .integer(6))
  }

  @Test func `reading ends where it is ended`() throws {
    #expect(try value.value(0, at: 1) == .string("one"))
    value.end()
    try session.connection.execute("DETACH source")
  }
}

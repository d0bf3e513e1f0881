import BulkTestSupport
import Testing

struct FilePathTests {
  private let directory = TemporaryDirectory()

  @Test(
    arguments: [
      "plain.sqlite", "with blanks .sqlite", "what?.sqlite", "a#b.sqlite", "100%.sqlite",
      "%41.sqlite",
      "%00.sqlite", "a%2fb.sqlite", "it's \"so\".sqlite", "日本 🙂 e\u{301}.sqlite", "file:x.sqlite",
      "file:x?mode=memory", ":memory:", "a&b=c;d.sqlite", "back\\slash.sqlite",
      "line\nbreak.sqlite",
      "-rf", "~", "$HOME", "a+b.sqlite",
    ]
  )
  func `a path means the file of that name`(name: String) throws {
    let path = directory.path(name)
    do {
      let writer = try Connection(path: path, access: .readWrite)
      try writer.execute("CREATE TABLE t (v)")
      try writer.execute("INSERT INTO t VALUES (7)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [name])
    let source = try Connection(path: path, access: .source)
    #expect(try source.value("SELECT v FROM t") == .integer(7))
    let other = try Connection(path: directory.path("other"), access: .readWrite)
    try other.attachSource(SourceFile(path: path), as: "so'urce \"")
    #expect(
      try other.value("SELECT v FROM \"so'urce \"\"\".t") == .integer(7)
    )
    #expect(try DatabaseFile(SourceFile(path: path)).pageSize == 4096)
  }

  @Test(arguments: ["/", "//"])
  func `a path may begin with several slashes`(slashes: String) throws {
    let path = slashes + directory.path("store.sqlite")
    try Connection(path: path, access: .readWrite).execute("CREATE TABLE t (v)")
    #expect(
      try Connection(path: path, access: .source).value("SELECT count(*) FROM t") == .integer(0)
    )
  }

  @Test func `a missing file that is attached is named`() throws {
    let connection = try Connection(path: directory.path("own.sqlite"), access: .readWrite)
    let missing = directory.path("missing.sqlite")
    let expected = SQLiteError(code: 14, message: "no such file", path: missing)
    #expect(throws: expected) {
      try connection.attachSource(SourceFile(path: missing), as: "source")
    }
  }
}

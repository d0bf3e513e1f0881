import BulkTestSupport
import Testing

struct ContentReadingTests {
  private let directory = TemporaryDirectory()
  private let path: String

  /// Makes a database of 3 MiB and a little.
  init() throws {
    path = directory.path("large.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("CREATE TABLE t (b)")
    try connection.execute("INSERT INTO t VALUES (zeroblob(\(3 << 20)))")
  }

  /// The digest, and how far the file was read after every mebibyte.
  private func digest(
    after former: ContentReading? = nil
  ) throws -> (words: [UInt64], readings: [ContentReading]) {
    var readings: [ContentReading] = []
    let file = try DatabaseFile(SourceFile(path: path))
    let words = try file.contentDigest(after: former, isStopped: { false }) { readings.append($0) }
    return (words, readings)
  }

  @Test func `what was read is not read again, by another process either`() throws {
    let whole = try digest()
    #expect(whole.readings.count == 4)
    let kept = try JSONEncoder().encode(whole.readings[1])
    let rest = try digest(after: JSONDecoder().decode(ContentReading.self, from: kept))
    #expect(rest.words == whole.words)
    #expect(rest.readings.map(\.offset) == whole.readings[2...].map(\.offset))
    #expect(try digest(after: whole.readings[3]).words == whole.words)
  }

  @Test func `a file that took the place of another is read from its beginning`() throws {
    let whole = try digest()
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    #expect(rename(path + ".copy", path) == 0)
    let again = try digest(after: whole.readings[3])
    #expect(again.words == whole.words)
    #expect(again.readings.count == 4)
  }

  @Test func `a digest that is cut short is none`() {
    let text = #"{"state":[1],"offset":32,"digest":[1,2,3,4]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ContentReading.self, from: Data(text.utf8))
    }
  }
}

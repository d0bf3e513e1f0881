import BulkTestSupport
import Testing

struct StatementWatchTests {
  @Test func `a statement that goes on for ever can be stopped`() throws {
    let directory = TemporaryDirectory()
    let connection = try Connection(path: directory.path("own.sqlite"), access: .readWrite)
    var questions = 0
    connection.watch {
      questions += 1
      return questions == 3
    }
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      )
    }
    #expect(error?.result == .interrupted)
    #expect(questions == 3)
  }
}

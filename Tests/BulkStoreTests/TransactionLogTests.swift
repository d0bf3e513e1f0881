import BulkTestSupport
import Testing

struct TransactionLogTests {
  private let directory = TemporaryDirectory()
  private let path: String

  init() throws {
    path = directory.path("destination.sqlite")
  }

  private func session(isDurable: Bool = true) throws -> StoreSession {
    try StoreSession(path, isDurable: isDurable)
  }

  private func write(_ session: StoreSession) throws {
    try StoreBuilder(session).create("CREATE TABLE t (a)")
    try session.transactions.batch {
      try StoreBuilder(session).create("INSERT INTO t VALUES (1)")
      try StoreBuilder(session).create("INSERT INTO t VALUES (2)")
    }
  }

  private func rows() throws -> SQLiteValue? {
    try Connection(path: path, access: .readWrite).value("SELECT group_concat(a) FROM t")
  }

  @Test func `a statement is a transaction, and so is a batch of them`() throws {
    let session = try session()
    var numbers: [Int64] = []
    session.transactions.willCommit = { numbers.append($0) }
    try write(session)
    #expect(numbers == [1, 2])
    #expect(session.transactions.count == 2)
  }

  @Test func `what was committed is replayed, not done again`() throws {
    try write(try session())
    let later = try session()
    #expect(later.transactions.committed == 2)
    #expect(later.transactions.isReplaying)
    try write(later)
    #expect(!later.transactions.isReplaying)
    #expect(later.transactions.count == 2)
    #expect(try rows() == .text("1,2"))
  }

  @Test func `whatever was done up to a transaction is replayed at once`() throws {
    try write(try session())
    let later = try session()
    later.transactions.replay(through: 2)
    #expect(!later.transactions.isReplaying)
    try StoreBuilder(later).create("INSERT INTO t VALUES (3)")
    #expect(try rows() == .text("1,2,3"))
  }

  @Test func `a batch that fails leaves nothing, and has no number`() throws {
    let session = try session()
    try write(session)
    let error = try #require(throws: StoreError.self) {
      try session.transactions.batch {
        try StoreBuilder(session).create("INSERT INTO t VALUES (3)")
        try StoreBuilder(session).create("INSERT INTO elsewhere VALUES (4)")
      }
    }
    #expect(error.reason == "no such table: elsewhere")
    #expect(session.transactions.count == 2)
    #expect(try rows() == .text("1,2"))
  }

  @Test func `a run that must stop does so behind a transaction, which is committed`() throws {
    let session = try session()
    session.transactions.mustStop = { true }
    let error = try #require(throws: StoreError.self) { try write(session) }
    #expect(error == .stopped(path: path))
    #expect(session.transactions.count == 1)
    #expect(try ScratchStore(path).lastTransaction() == 1)
  }

  @Test func `a file without a journal cannot be continued`() throws {
    try write(try session(isDurable: false))
    #expect(try session(isDurable: false).transactions.committed == 0)
  }
}

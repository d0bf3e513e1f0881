package import BulkSQLite

#if DEBUG
internal import BulkSupport
#endif

/// The transactions in which a store is written, counted from 1.
///
/// The header of a file with a journal holds the number of the last one. A session that continues
/// the file does the same work in the same order: the log replays committed transactions without
/// running them, so that the result is the same file.
package final class TransactionLog {
  private let connection: Connection
  /// Whether transactions survive the end of the process.
  private let isDurable: Bool
  /// The number of transactions that an earlier session committed.
  package let committed: Int64
  /// The number of transactions so far, including replayed ones.
  package private(set) var count: Int64 = 0
  /// The rows in a batch; the same in every session of one file.
  package var batchRows: Int64 = TransactionLog.defaultBatchRows
  private var isInBatch = false
  /// The writer of pages in place of SQLite; its writes are committed with each transaction.
  var pages: PageWriter?
  /// Called with the number of every transaction just before it is committed.
  package var willCommit: ((Int64) throws(StoreError) -> Void)?
  package var didCommit: (() -> Void)?
  /// Called within a commit of pages when something is on disk.
  package var didSynchronize: (() -> Void)?
  /// Called after every transaction; returns whether to stop there.
  package var mustStop: (() -> Bool)?

  init(_ connection: Connection, isDurable: Bool) throws(StoreError) {
    self.connection = connection
    self.isDurable = isDurable
    committed = isDurable ? try ScratchStore.lastTransaction(of: connection) : 0
  }

  /// Whether an earlier session has committed the next transaction.
  package var isReplaying: Bool { count < committed }

  /// Replays all transactions through one of an earlier session.
  package func replay(through transaction: Int64) {
    precondition(
      (count...max(count, committed)).contains(transaction),
      "only what was committed can be replayed"
    )
    count = transaction
  }

  /// Runs a body whose writes are one transaction; a replayed one is not run.
  package func batch(_ body: () throws -> Void) throws {
    guard try begin() else { return }
    defer { isInBatch = false }
    do {
      try body()
      try commit()
    } catch {
      rollBack()
      throw error
    }
  }

  /// The same, within an open batch as a part of it.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    if isInBatch { return try body() }
    guard try begin() else { return }
    defer { isInBatch = false }
    do throws(StoreError) {
      try body()
      try commit()
    } catch {
      rollBack()
      throw error
    }
  }

  func execute(_ sql: String) throws(StoreError) {
    try transaction { () throws(StoreError) in try connection.execute(sql) }
  }

  /// Returns whether the transaction is to be run.
  private func begin() throws(StoreError) -> Bool {
    if isReplaying {
      count += 1
      return false
    }
    if pages == nil { try connection.execute("BEGIN IMMEDIATE") }
    isInBatch = true
    return true
  }

  private func commit() throws(StoreError) {
    let number = count + 1
    if let pages {
      try pages.refuseMoved()
      try willCommit?(number)
      pages.step = { [didSynchronize] in didSynchronize?() }
      try pages.commit(number)
    } else {
      if isDurable { try connection.execute("PRAGMA main.user_version = \(number)") }
      try willCommit?(number)
      try connection.execute("COMMIT")
    }
    count = number
    didCommit?()
    if mustStop?() ?? false { throw .stopped(path: connection.path) }
  }

  private func rollBack() {
    // SQLite may have rolled back already.
    if pages == nil { connection.rollBack() }
  }
}

extension TransactionLog {
  /// The default number of rows in a batch: large enough that a transaction costs little compared with its
  /// rows, small enough that progress shows and an interruption costs little.
  package static let defaultBatchRows: Int64 = environmentBatchRows ?? 100_000

  /// The number set in the environment of a debug build, so that tests can interrupt a small store many
  /// times: with `BULKMIGRATE_BATCH_ROWS=100` a batch has 100 rows, and a migration of 100 rows has
  /// checkpoints already.
  private static var environmentBatchRows: Int64? {
    #if DEBUG
    SystemHost.current.environment()["BULKMIGRATE_BATCH_ROWS"].flatMap { Int64($0) }
    #else
    nil
    #endif
  }
}

/// A file that an earlier session wrote.
package struct ScratchStore {
  private let path: String
  private let source: SourceFile?

  package init(_ path: String, copiedFrom source: SourceFile? = nil) {
    (self.path, self.source) = (path, source)
  }

  /// The file in which the pages of a file with a journal are recorded; neither is valid without the other.
  package var pageLog: String { PageCheck.log(of: path) }

  /// The last transaction of a file that an interrupted session left.
  ///
  /// A transaction that was not committed is rolled back, and then every page is compared with its
  /// record. Returns `nil` if the file has changed since the session; a stop is an error.
  package func lastTransaction(isStopped: () -> Bool = { false }) throws(StoreError) -> Int64? {
    let number = try Self.lastTransaction(
      of: try Connection(path: path, access: .readWrite)
    )
    return try PageCheck(of: path, copiedFrom: source)
      .isSound(after: number, isStopped: isStopped) ? number : nil
  }

  /// The file of a finished session may differ in counters of its header; a stop is an error.
  package func isSound(isStopped: () -> Bool = { false }) throws(StoreError) -> Bool {
    try PageCheck(of: path, copiedFrom: source).isSound(after: nil, isStopped: isStopped)
  }

  /// The user version in the header has the number.
  static func lastTransaction(of connection: Connection) throws(StoreError) -> Int64 {
    try connection.integer("PRAGMA main.user_version") ?? 0
  }
}

package import BulkSQLite

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

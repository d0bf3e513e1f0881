internal import BulkCoding
internal import BulkModel
internal import BulkSQLite

/// Which state of which store file was read.
///
/// It is a digest of the file's bytes and of the committed part of the log beside it. It does not
/// depend on where the file lies or when it was copied there.
package struct StoreIdentity: Hashable, Sendable {
  /// The digest in hexadecimal.
  package let text: String

  fileprivate init(
    _ file: DatabaseFile,
    after former: StoreReading?,
    isStopped: () -> Bool,
    _ note: (StoreReading) -> Void
  ) throws(SQLiteError) {
    var hash = SHA256()
    let words = try file.contentDigest(after: former?.content, isStopped: isStopped) {
      note(StoreReading(content: $0))
    }
    for word in words + [file.logChecksum] {
      // The bytes are copied while the number lends them.
      unsafe hash.update(withUnsafeBytes(of: word.littleEndian) { unsafe Array($0) })
    }
    text = VersionHash.hexadecimal(hash.finalize())
  }
}

extension StoreIdentity {
  /// The work of finding out an identity, which any thread may do.
  package struct Reading: Sendable {
    private let file: DatabaseFile

    init(_ file: DatabaseFile) { self.file = file }

    /// Reads the whole file.
    ///
    /// - Parameters:
    ///   - former: How far it was read before, if it was; it counts only if the file is as it was then.
    ///   - isStopped: Is asked for every mebibyte whether to give up.
    ///   - note: Is told for every mebibyte how far the file is read.
    /// - Returns: The identity.
    /// - Throws: ``StoreError`` if the file cannot be read, or it was told to stop.
    package func run(
      after former: StoreReading? = nil,
      isStopped: () -> Bool = { false },
      _ note: (StoreReading) -> Void = { _ in }
    ) throws(StoreError) -> StoreIdentity {
      try StoreError.sqlite { () throws(SQLiteError) in
        try StoreIdentity(file, after: former, isStopped: isStopped, note)
      }
    }
  }
}

/// How far a store was read to find out its identity, from where another process may go on.
package struct StoreReading: Codable, Hashable, Sendable {
  fileprivate let content: ContentReading

  /// The bytes that were read.
  package var bytes: Int64 { content.offset }
}

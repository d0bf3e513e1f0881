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

  fileprivate init(_ file: DatabaseFile, isStopped: () -> Bool) throws(SQLiteError) {
    var hash = SHA256()
    for word in try file.contentDigest(isStopped: isStopped) + [file.logChecksum] {
      hash.update(withUnsafeBytes(of: word.littleEndian) { Array($0) })
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
    /// - Parameter isStopped: Is asked for every 256 KiB whether to give up.
    /// - Returns: The identity.
    /// - Throws: ``StoreError`` if the file cannot be read, or it was told to stop.
    package func run(isStopped: () -> Bool = { false }) throws(StoreError) -> StoreIdentity {
      try StoreError.sqlite { () throws(SQLiteError) in
        try StoreIdentity(file, isStopped: isStopped)
      }
    }
  }
}

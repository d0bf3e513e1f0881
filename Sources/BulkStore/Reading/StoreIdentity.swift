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

  init(_ file: DatabaseFile) throws(SQLiteError) {
    var hash = SHA256()
    for word in try file.contentDigest() + [file.logChecksum] {
      hash.update(withUnsafeBytes(of: word.littleEndian) { Array($0) })
    }
    text = VersionHash.hexadecimal(hash.finalize())
  }
}

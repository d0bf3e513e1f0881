internal import BulkCoding
internal import BulkModel
internal import BulkSQLite

/// Which state of which store file was read.
///
/// It is a digest of the file's size, of its first page, where SQLite counts the changes, and of the
/// committed part of the log beside it. It does not depend on where the file lies or when it was
/// copied there.
package struct StoreIdentity: Hashable, Sendable {
  /// The digest in hexadecimal.
  package let text: String

  init(_ file: DatabaseFile) {
    var hash = SHA256()
    hash.update(withUnsafeBytes(of: file.size.littleEndian) { Array($0) })
    hash.update(file.firstPage)
    hash.update(withUnsafeBytes(of: file.logChecksum.littleEndian) { Array($0) })
    text = VersionHash.hexadecimal(hash.finalize())
  }
}

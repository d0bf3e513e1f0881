internal import BulkCoding
internal import BulkModel

/// Digests in hexadecimal.
enum Digest {
  /// The SHA-256 digest of some bytes.
  static func text(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return VersionHash.hexadecimal(hash.finalize())
  }

  /// The digest of everything that a model says.
  static func text(of model: ManagedObjectModel) -> String {
    text(of: CompiledModelWriter.archive(of: model))
  }
}

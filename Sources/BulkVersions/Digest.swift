internal import BulkCoding
package import BulkModel

/// Digests in hexadecimal.
package enum Digest {
  /// The SHA-256 digest of some bytes.
  package static func text(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return VersionHash.hexadecimal(hash.finalize())
  }

  /// The digest of a model's whole content.
  package static func text(of model: ManagedObjectModel) -> String {
    text(of: CompiledModelWriter.archive(of: model))
  }
}

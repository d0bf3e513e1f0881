internal import BulkMapping
internal import BulkSupport
package import BulkModel

/// Digests in hexadecimal.
package enum Digest {
  package static func text(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return VersionHash.hexadecimal(hash.finalize())
  }

  /// The SHA-256 digest of a file; `nil` if it cannot be read to its end.
  package static func text(ofFile path: String) -> String? {
    guard let file = try? OpenFile(reading: path) else { return nil }
    var hash = SHA256()
    while let part = try? file.read(OpenFile.partSize) {
      guard !part.isEmpty else { return VersionHash.hexadecimal(hash.finalize()) }
      hash.update(part)
    }
    return nil
  }

  /// The digest of a model's whole content.
  package static func text(of model: ManagedObjectModel) -> String {
    text(of: CompiledModelWriter.archive(of: model))
  }
}

extension MappingModel {
  /// In hexadecimal.
  var digest: String { Digest.text(of: Array(json.utf8)) }
}

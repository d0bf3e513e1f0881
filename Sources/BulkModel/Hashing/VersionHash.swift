internal import BulkCoding
internal import BulkPlatform

/// The version hash of an entity: a store keeps one for each entity of the model that wrote it.
///
/// A store opens with a model only if their hashes agree for every entity.
public struct VersionHash: Hashable, Sendable {
  /// The length of a hash in bytes.
  public static let length = 32

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A hash from its bytes; `nil` if there are not 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// The digest of the hashed bytes.
  init(_ hash: SHA256) {
    var hash = hash
    bytes = hash.finalize()
  }

  /// Formats bytes as lowercase hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

extension VersionHash: CustomStringConvertible {
  /// The bytes as lowercase hexadecimal digits.
  public var description: String { Self.hexadecimal(bytes) }
}

extension VersionHash {
  /// The value of `NSStoreModelVersionHashesDigest` in a store's metadata.
  ///
  /// It is base 64 of SHA-512 over each entity's name and hash, in code-unit order of the names;
  /// verified on 249 stores (version-hash.md).
  public static func digest(of hashes: [String: VersionHash]) -> String {
    var hash = SHA512()
    for name in hashes.keys.sortedByCodeUnit() {
      hash.update(name)
      hash.update(hashes[name]?.bytes ?? [])
    }
    return Data(hash.finalize()).base64EncodedString()
  }

  /// The value of `NSStoreModelVersionChecksumKey` in a store's metadata, and of each version in the
  /// `VersionInfo.plist` of a compiled model.
  ///
  /// It is base 64 of SHA-256 over the hashes alone, in code-unit order of the entities' names;
  /// verified on 50 stores (version-hash.md).
  public static func checksum(of hashes: [String: VersionHash]) -> String {
    var hash = SHA256()
    for name in hashes.keys.sortedByCodeUnit() { hash.update(hashes[name]?.bytes ?? []) }
    return Data(hash.finalize()).base64EncodedString()
  }
}

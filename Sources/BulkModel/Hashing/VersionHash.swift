internal import BulkCoding
internal import Foundation

/// The version hash of an entity: what a store keeps of each entity of the model that wrote it.
///
/// A store opens with a model only if their hashes agree for every entity.
public struct VersionHash: Hashable, Sendable {
  /// The length of a hash in bytes.
  public static let length = 32

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A hash from its bytes, or `nil` if they are not 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// The digest of what has been hashed.
  init(_ hash: SHA256) {
    var hash = hash
    bytes = hash.finalize()
  }

  /// Bytes as lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

extension VersionHash: CustomStringConvertible {
  /// The bytes as lower-case hexadecimal digits.
  public var description: String { Self.hexadecimal(bytes) }
}

extension VersionHash {
  /// What a store's metadata has under `NSStoreModelVersionHashesDigest`.
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

  /// What a store's metadata has under `NSStoreModelVersionChecksumKey`, and `VersionInfo.plist` of a
  /// compiled model for each version.
  ///
  /// It is base 64 of SHA-256 over the hashes alone, in code-unit order of the entities' names;
  /// verified on 50 stores (version-hash.md).
  public static func checksum(of hashes: [String: VersionHash]) -> String {
    var hash = SHA256()
    for name in hashes.keys.sortedByCodeUnit() { hash.update(hashes[name]?.bytes ?? []) }
    return Data(hash.finalize()).base64EncodedString()
  }
}

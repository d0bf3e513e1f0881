internal import BulkCoding
internal import BulkPlatform

/// The version hash of an entity: a store keeps one for each entity of the model that wrote it.
///
/// A store opens with a model only if their hashes agree for every entity.
package struct VersionHash: Hashable, Sendable {
  /// The length of a hash in bytes.
  package static let length = 32

  /// The digest, ``length`` bytes long.
  package let bytes: [UInt8]

  /// A hash from its bytes; `nil` if there are not 32.
  package init?(_ bytes: [UInt8]) {
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
  package var description: String { Self.hexadecimal(bytes) }
}

extension VersionHash {
  /// The value of `NSStoreModelVersionHashesDigest` in a store's metadata.
  ///
  /// It is base 64 of SHA-512 over each entity's name and hash, in code-unit order of the names;
  /// verified on 249 stores (formats/version-hashes.md 3.1).
  package static func digest(of hashes: [String: VersionHash]) -> String {
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
  /// verified on 50 stores (formats/version-hashes.md 3.2).
  package static func checksum(of hashes: [String: VersionHash]) -> String {
    var hash = SHA256()
    for name in hashes.keys.sortedByCodeUnit() { hash.update(hashes[name]?.bytes ?? []) }
    return Data(hash.finalize()).base64EncodedString()
  }
}

/// The hashes of properties, from which the hash of an entity is computed.
///
/// Version 3 of Core Data's hashes: SHA-256, texts as unterminated UTF-8, integers little-endian
/// (formats/version-hashes.md 1; 1130 of 1130 pairs of entity and hash were reproduced).
enum PropertyHash {
  /// `SHA256(P, type, 1 if external, 1 if kept in the history)`; for a derived attribute only the text of its
  /// expression is hashed, for a composite one the hashes of its elements by name.
  static func hash(of attribute: AttributeDescription) -> VersionHash {
    var hash = SHA256()
    if let expression = attribute.derivationExpression {
      hash.update(expression.description)
      return VersionHash(hash)
    }
    if attribute.attributeType == .composite {
      for element in attribute.elements.sorted(by: { CodeUnitOrder.precedes($0.name, $1.name) }) {
        hash.update(Self.hash(of: element).bytes)
      }
      return VersionHash(hash)
    }
    hash.update(common(attribute).bytes)
    hash.update(attribute.attributeType.rawValue.littleEndianBytes)
    if attribute.allowsExternalBinaryDataStorage { hash.update([1]) }
    if attribute.preservesValueInHistoryOnDeletion { hash.update([1]) }
    return VersionHash(hash)
  }

  /// `SHA256(P, destination, inverse, greatest count, least count, 1 if ordered)`.
  ///
  /// A relationship that is its own inverse leaves the inverse out.
  static func hash(of relationship: RelationshipDescription, in entity: String) -> VersionHash {
    let isOwnInverse =
      relationship.destinationEntityName == entity && relationship.inverseName == relationship.name
    var hash = SHA256()
    hash.update(common(relationship).bytes)
    hash.update(relationship.destinationEntityName)
    if let inverse = relationship.inverseName, !isOwnInverse { hash.update(inverse) }
    hash.update(Int32(truncatingIfNeeded: relationship.maxCount).littleEndianBytes)
    hash.update(Int32(truncatingIfNeeded: relationship.minCount).littleEndianBytes)
    if relationship.isOrdered { hash.update(UInt16(1).littleEndianBytes) }
    return VersionHash(hash)
  }

  /// `P = SHA256(name, flags, modifier)`; transient properties, whose flag would be 2, are not part of an
  /// entity's hash.
  private static func common(_ property: some PropertyDescription) -> VersionHash {
    let flags: UInt16 = (property.isOptional ? 1 : 0) | (property.isReadOnly ? 4 : 0)
    var hash = SHA256()
    hash.update(property.name)
    hash.update(flags.littleEndianBytes)
    hash.update(property.versionHashModifier ?? "")
    return VersionHash(hash)
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    // The bytes are copied while they are valid.
    unsafe withUnsafeBytes(of: littleEndian) { unsafe Array($0) }
  }
}

extension ManagedObjectModel {
  /// The version hash of every entity, by name.
  ///
  /// Each property is hashed once; an entity then takes its superentity's hash and the hashes of all
  /// its persistent properties, own and inherited, by name.
  package var entityVersionHashesByName: [String: VersionHash] {
    var result: [String: VersionHash] = [:]
    result.reserveCapacity(entities.count)
    var open = entities.filter { $0.superentityName == nil }
      .map { EntityHash(entity: $0, above: nil) }
    while let next = open.popLast() {
      result[next.entity.name] = next.hash
      for subentity in subentities(of: next.entity) {
        open.append(EntityHash(entity: subentity, above: next))
      }
    }
    return result
  }
}

/// The hash of one entity, with the data that its subentities need for theirs.
///
/// `SHA256(name, 1 if abstract else 0, [hash of the superentity], hashes of the persistent
/// properties by name, modifier, uniqueness constraints)`. A constraint is its attributes' names
/// joined with dots; the constraints are sorted, and those of superentities enter through their hash only
/// (formats/version-hashes.md 1.6, 2.5).
private struct EntityHash {
  let entity: EntityDescription
  let hash: VersionHash
  /// The hashes of all persistent properties, own and inherited, by name in code-unit order.
  private let properties: [Property]

  private typealias Property = (name: String, hash: VersionHash)

  init(entity: EntityDescription, above: EntityHash?) {
    self.entity = entity
    let own = Self.ownProperties(of: entity)
    let inherited = above?.properties ?? []
    properties = own.isEmpty ? inherited : Self.merged(inherited, own)
    var hash = SHA256()
    hash.update(entity.name)
    hash.update([entity.isAbstract ? 1 : 0])
    if let above { hash.update(above.hash.bytes) }
    for property in properties { hash.update(property.hash.bytes) }
    hash.update(entity.versionHashModifier ?? "")
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sortedByCodeUnit() { hash.update(constraint) }
    self.hash = VersionHash(hash)
  }

  private static func ownProperties(of entity: EntityDescription) -> [Property] {
    let attributes = entity.attributes.filter { !$0.isTransient }
      .map { (name: $0.name, hash: PropertyHash.hash(of: $0)) }
    let relationships = entity.relationships.filter { !$0.isTransient }
      .map { (name: $0.name, hash: PropertyHash.hash(of: $0, in: entity.name)) }
    return (attributes + relationships).sorted { CodeUnitOrder.precedes($0.name, $1.name) }
  }

  private static func merged(_ first: [Property], _ second: [Property]) -> [Property] {
    var result: [Property] = []
    result.reserveCapacity(first.count + second.count)
    var rest = second[...]
    for property in first {
      while let next = rest.first, CodeUnitOrder.precedes(next.name, property.name) {
        result.append(next)
        rest.removeFirst()
      }
      result.append(property)
    }
    return result + rest
  }
}

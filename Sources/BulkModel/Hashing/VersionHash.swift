internal import BulkSupport

/// The version hash of an entity: a store keeps one for each entity of the model that wrote it.
///
/// A store opens with a model only if their hashes agree for every entity.
package struct VersionHash: Hashable, Sendable {
  package static let length = 32

  package let bytes: [UInt8]

  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// The digest of some fields; texts are hashed as UTF-8 without an end.
  init(of fields: [[UInt8]]) {
    var hash = SHA256()
    for field in fields { hash.update(field) }
    bytes = hash.finalize()
  }

  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

extension VersionHash: CustomStringConvertible {
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
    let fields = hashes.keys.sortedByCodeUnit().map { hashes[$0]?.bytes ?? [] }
    return Data(VersionHash(of: fields).bytes).base64EncodedString()
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
    if let expression = attribute.derivationExpression {
      return VersionHash(of: [Array(expression.description.utf8)])
    }
    if attribute.attributeType == .composite {
      let elements = attribute.elements.sorted { CodeUnitOrder.precedes($0.name, $1.name) }
      return VersionHash(of: elements.map { hash(of: $0).bytes })
    }
    return VersionHash(of: [
      common(attribute), attribute.attributeType.rawValue.littleEndianBytes,
      attribute.allowsExternalBinaryDataStorage ? [1] : [],
      attribute.preservesValueInHistoryOnDeletion ? [1] : [],
    ])
  }

  /// `SHA256(P, destination, inverse, greatest count, least count, 1 if ordered)`.
  ///
  /// A relationship that is its own inverse leaves the inverse out.
  static func hash(of relationship: RelationshipDescription, in entity: String) -> VersionHash {
    let isOwnInverse =
      relationship.destinationEntityName == entity && relationship.inverseName == relationship.name
    return VersionHash(of: [
      common(relationship), Array(relationship.destinationEntityName.utf8),
      isOwnInverse ? [] : Array((relationship.inverseName ?? "").utf8),
      Int32(truncatingIfNeeded: relationship.maxCount).littleEndianBytes,
      Int32(truncatingIfNeeded: relationship.minCount).littleEndianBytes,
      relationship.isOrdered ? UInt16(1).littleEndianBytes : [],
    ])
  }

  /// `P = SHA256(name, flags, modifier)`; transient properties, whose flag would be 2, are not part of an
  /// entity's hash.
  private static func common(_ property: some PropertyDescription) -> [UInt8] {
    let flags: UInt16 = (property.isOptional ? 1 : 0) | (property.isReadOnly ? 4 : 0)
    return VersionHash(of: [
      Array(property.name.utf8), flags.littleEndianBytes,
      Array((property.versionHashModifier ?? "").utf8),
    ])
    .bytes
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
    properties = ((above?.properties ?? []) + Self.ownProperties(of: entity))
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    let texts = [entity.versionHashModifier ?? ""] + constraints.sortedByCodeUnit()
    let head: [[UInt8]] = [
      Array(entity.name.utf8), [entity.isAbstract ? 1 : 0], above?.hash.bytes ?? [],
    ]
    hash = VersionHash(of: head + properties.map { $0.hash.bytes } + texts.map { Array($0.utf8) })
  }

  private static func ownProperties(of entity: EntityDescription) -> [Property] {
    let attributes = entity.attributes.filter { !$0.isTransient }
      .map { (name: $0.name, hash: PropertyHash.hash(of: $0)) }
    let relationships = entity.relationships.filter { !$0.isTransient }
      .map { (name: $0.name, hash: PropertyHash.hash(of: $0, in: entity.name)) }
    return attributes + relationships
  }
}

internal import BulkCoding

/// The hashes of properties, from which the hash of an entity is computed.
///
/// Version 3 of Core Data's hashes: SHA-256, texts as unterminated UTF-8, integers little-endian
/// (version-hash.md; 1130 of 1130 pairs of entity and hash were reproduced).
enum PropertyHash {
  private struct Flags: OptionSet {
    let rawValue: UInt16
    static let optional = Flags(rawValue: 1)
    static let readOnly = Flags(rawValue: 4)
  }

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
    let common = self.common(
      attribute.name,
      isOptional: attribute.isOptional,
      isReadOnly: attribute.isReadOnly,
      modifier: attribute.versionHashModifier
    )
    hash.update(common.bytes)
    hash.update(attribute.attributeType.rawValue.littleEndianBytes)
    if attribute.allowsExternalBinaryDataStorage { hash.update([1]) }
    if attribute.preservesValueInHistoryOnDeletion { hash.update([1]) }
    return VersionHash(hash)
  }

  /// `SHA256(P, destination, inverse, greatest count, least count, 1 if ordered)`.
  ///
  /// A relationship that is its own inverse leaves the inverse out.
  static func hash(of relationship: RelationshipDescription, in entity: String) -> VersionHash {
    let common = self.common(
      relationship.name,
      isOptional: relationship.isOptional,
      isReadOnly: relationship.isReadOnly,
      modifier: relationship.versionHashModifier
    )
    let isOwnInverse =
      relationship.destinationEntityName == entity && relationship.inverseName == relationship.name
    var hash = SHA256()
    hash.update(common.bytes)
    hash.update(relationship.destinationEntityName)
    if let inverse = relationship.inverseName, !isOwnInverse { hash.update(inverse) }
    hash.update(Int32(truncatingIfNeeded: relationship.maxCount).littleEndianBytes)
    hash.update(Int32(truncatingIfNeeded: relationship.minCount).littleEndianBytes)
    if relationship.isOrdered { hash.update(UInt16(1).littleEndianBytes) }
    return VersionHash(hash)
  }

  /// `P = SHA256(name, flags, modifier)`; transient properties, whose flag would be 2, are not part of an
  /// entity's hash.
  private static func common(
    _ name: String,
    isOptional: Bool,
    isReadOnly: Bool,
    modifier: String?
  ) -> VersionHash {
    var flags: Flags = []
    if isOptional { flags.insert(.optional) }
    if isReadOnly { flags.insert(.readOnly) }
    var hash = SHA256()
    hash.update(name)
    hash.update(flags.rawValue.littleEndianBytes)
    hash.update(modifier ?? "")
    return VersionHash(hash)
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    // The bytes are copied while they are valid.
    unsafe withUnsafeBytes(of: littleEndian) { unsafe Array($0) }
  }
}

internal import BulkCoding

extension ManagedObjectModel {
  /// The version hash of every entity, by name.
  ///
  /// Each property is hashed once; an entity then takes its superentity's hash and the hashes of all
  /// its persistent properties, own and inherited, by name.
  public var entityVersionHashesByName: [String: VersionHash] {
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
/// (version-hash.md).
private struct EntityHash {
  let entity: EntityDescription
  let hash: VersionHash
  /// The hashes of all persistent properties, own and inherited, by name in code-unit order.
  private let properties: [Property]

  private struct Property {
    let name: String
    let hash: VersionHash
  }

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
      .map { Property(name: $0.name, hash: PropertyHash.hash(of: $0)) }
    let relationships = entity.relationships.filter { !$0.isTransient }
      .map { Property(name: $0.name, hash: PropertyHash.hash(of: $0, in: entity.name)) }
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

internal import BulkModel
internal import BulkStore

/// A way through the source, relationship by relationship, from the objects of one entity to others.
struct SourceRoute: Sendable {
  /// The relationships, in order.
  let hops: [SourceLink]
  /// The entity where it begins.
  let start: EntityDescription
  /// The entity where it ends; its subentities are meant too.
  let end: EntityDescription
  /// The entity that has the first relationship, which may be one that ``start`` inherits from.
  private let owner: EntityDescription

  /// The way back; it ends at objects of any entity that has the first relationship.
  var reversed: SourceRoute {
    SourceRoute(
      hops: hops.reversed().map { SourceLink(key: $0.key, isReversed: !$0.isReversed) },
      start: end,
      end: owner,
      owner: end
    )
  }

  /// The route of a path of names; the name at which it fails where it does.
  static func find(
    _ path: [String],
    from start: EntityDescription,
    in model: ManagedObjectModel
  ) -> Result<SourceRoute, BrokenRoute> {
    var hops: [SourceLink] = []
    var (entity, owner) = (start, start)
    for name in path {
      guard
        let found = model.relationship(named: name, of: entity),
        let next = model.entity(named: found.relationship.destinationEntityName)
      else { return .failure(BrokenRoute(entity: entity.name, name: name)) }
      if hops.isEmpty { owner = found.owner }
      hops.append(
        SourceLink(
          key: PropertyKey(found.owner.name, found.relationship.name),
          isReversed: false
        )
      )
      entity = next
    }
    return .success(SourceRoute(hops: hops, start: start, end: entity, owner: owner))
  }

  /// A name that is no relationship of an entity.
  struct BrokenRoute: Error {
    let entity: String
    let name: String
  }
}

internal import BulkModel
internal import BulkStore

/// A path of relationships through the source, from the objects of one entity to others.
struct RelationshipPath: Sendable {
  /// The relationships, in order.
  let links: [SourceLink]
  /// The entity where it begins.
  let start: EntityDescription
  /// The entity where it ends; its subentities are included.
  let end: EntityDescription
  /// The entity that declares the first relationship, which may be an ancestor of ``start``.
  private let owner: EntityDescription

  /// The inverse path; it ends at objects of any entity that has the first relationship.
  var reversed: RelationshipPath {
    RelationshipPath(
      links: links.reversed().map { SourceLink(key: $0.key, isReversed: !$0.isReversed) },
      start: end,
      end: owner,
      owner: end
    )
  }

  /// The path along relationships with some names, or the name at which it fails.
  static func find(
    _ names: [String],
    from start: EntityDescription,
    in model: ManagedObjectModel
  ) -> Result<RelationshipPath, BrokenPath> {
    var links: [SourceLink] = []
    var (entity, owner) = (start, start)
    for name in names {
      guard
        let found = model.relationship(named: name, of: entity),
        let next = model.entity(named: found.relationship.destinationEntityName)
      else { return .failure(BrokenPath(entity: entity.name, name: name)) }
      if links.isEmpty { owner = found.owner }
      let key = PropertyKey(found.owner.name, found.relationship.name)
      links.append(SourceLink(key: key, isReversed: false))
      entity = next
    }
    return .success(RelationshipPath(links: links, start: start, end: entity, owner: owner))
  }

  /// A name that is not a relationship of an entity.
  struct BrokenPath: Error {
    let entity: String
    let name: String
  }
}

extension LinkResolver {
  /// The key of the one object at the end; `nil` where a relationship is not stored in rows of the near side.
  package func key(_ path: RelationshipPath) -> ColumnExpression? {
    var key = ColumnExpression.column("Z_PK")
    for (index, link) in path.links.enumerated() {
      guard let rows = rows(of: link), rows.isInNearRow else { return nil }
      key =
        index == 0
        ? .column(rows.farColumn) : .columnOfRow(rows.farColumn, in: rows.nearTable, key: key)
    }
    return key
  }

  /// The row's place among those of the object at the end; NULL where the path has no order.
  package func place(_ path: RelationshipPath) -> ColumnExpression {
    guard path.links.count == 1 else { return .null }
    return rows(of: path.links[0])?.placeAtPartner ?? .null
  }
}

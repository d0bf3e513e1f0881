internal import BulkModel
internal import BulkStore

/// A path of relationships through the source, from the objects of one entity to others.
struct RelationshipPath: Sendable {
  let links: [SourceLink]
  let start: EntityDescription
  /// Its subentities are included.
  let end: EntityDescription
  /// It may be an ancestor of ``start``.
  private let owner: EntityDescription

  /// It ends at objects of any entity that has the first relationship.
  var reversed: RelationshipPath {
    RelationshipPath(
      links: links.reversed().map { SourceLink(key: $0.key, isReversed: !$0.isReversed) },
      start: end,
      end: owner,
      owner: end
    )
  }

  /// Fails at the first name that is not a relationship.
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

  struct BrokenPath: Error {
    let entity: String
    let name: String
  }
}

extension LinkResolver {
  /// `nil` where a relationship is not stored in rows of the near side.
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

  /// NULL where the path has no order.
  package func position(_ path: RelationshipPath) -> ColumnExpression {
    guard path.links.count == 1 else { return .null }
    return rows(of: path.links[0])?.positionAtPartner ?? .null
  }
}

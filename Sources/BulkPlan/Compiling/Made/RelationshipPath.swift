internal import BulkModel
internal import BulkStore

/// A path of relationships through the source, from the objects of one entity to others.
struct RelationshipPath: Sendable {
  private(set) var links: [SourceLink] = []
  /// Its subentities are included.
  private(set) var end: EntityDescription
  /// The entity that has the first relationship, which may be an ancestor of that where the path begins.
  private var owner: EntityDescription

  /// A name that is not a relationship.
  struct Broken: Error {
    let entity: String
    let name: String
  }

  init(
    _ names: [String],
    from start: EntityDescription,
    in model: ManagedObjectModel
  ) throws(Broken) {
    (end, owner) = (start, start)
    for name in names {
      guard
        let found = model.relationship(named: name, of: end),
        let next = model.entity(named: found.relationship.destinationEntityName)
      else { throw Broken(entity: end.name, name: name) }
      if links.isEmpty { owner = found.owner }
      let key = PropertyKey(found.owner.name, found.relationship.name)
      links.append(SourceLink(key: key, isReversed: false))
      end = next
    }
  }

  /// It ends at objects of any entity that has the first relationship.
  var reversed: RelationshipPath {
    var result = self
    result.links = links.reversed().map { SourceLink(key: $0.key, isReversed: !$0.isReversed) }
    (result.end, result.owner) = (owner, end)
    return result
  }
}

extension StoreSchema {
  /// Whether the row where the path begins leads to one object at its end.
  func isSingle(_ path: RelationshipPath) -> Bool {
    path.links.allSatisfy { rows(of: $0)?.isInNearRow ?? false }
  }

  /// The key at the end of a path; `nil` where it does not follow from the row where the path begins.
  func key(_ path: RelationshipPath) -> ColumnExpression? {
    guard isSingle(path) else { return nil }
    var key = ColumnExpression.column("Z_PK")
    for (index, rows) in path.links.compactMap({ rows(of: $0) }).enumerated() {
      key =
        index == 0
        ? .column(rows.farColumn) : .columnOfRow(rows.farColumn, in: rows.nearTable, key: key)
    }
    return key
  }

  /// NULL where the path has no order.
  func position(_ path: RelationshipPath) -> ColumnExpression {
    guard path.links.count == 1 else { return .null }
    return rows(of: path.links[0])?.positionAtPartner ?? .null
  }
}

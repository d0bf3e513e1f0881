internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Counts objects that lack a mandatory relationship after inferred steps: one that is not optional, and to-one or of a
/// minimum above 0.
struct InferredLinks {
  /// The reasons why rows refuse relationships that become mandatory, or are new, a sentence each.
  ///
  /// Core Data moves the data, counts, and rolls back (formats/migration.md 2.16).
  private(set) var refusals: [String] = []
  /// Warnings of relationships that are mandatory in the source already, a sentence each.
  private(set) var warnings: [String] = []

  init(_ work: MigrationWork, _ counts: RowCounts) throws(StoreError) {
    guard work.made == nil else { return }
    let links = LinkCounts(work: work)
    for succession in work.successions {
      guard let source = succession.source, let name = succession.destination,
        let entity = work.destination.model.entity(named: name),
        counts.byEntity[work.layout.schema.numbering.number(of: source)] ?? 0 > 0
      else { continue }
      for relationship in work.destination.model.relationships(of: entity)
      where relationship.isMandatory {
        let count = try links.objects(of: source, without: relationship, succession)
        guard count > 0 else { continue }
        let name = "\(name).\(relationship.name)"
        let objects = "\(count) \(count == 1 ? "object" : "objects")"
        let before = links.origin(of: relationship.name, along: succession)?.relationship
        if before?.isMandatory == true {
          warnings.append("\(name) is required, but empty in \(objects)")
        } else {
          let how = before == nil ? "new and required" : "required now"
          refusals.append(
            "\(name) is \(how), but would be empty in \(objects); make it optional, or write a mapping model"
          )
        }
      }
    }
  }
}

/// Counts objects by the links that inferred steps keep.
private struct LinkCounts {
  let work: MigrationWork
  private var schema: StoreSchema { work.layout.schema }

  /// The relationship of the source store that inferred steps continue; `nil` for a new one.
  func origin(
    of name: String,
    along succession: EntitySuccession
  ) -> (owner: EntityDescription, relationship: RelationshipDescription)? {
    var name = name
    for step in succession.steps.reversed() {
      guard let former = step.mapping.relationship(name)?.continuedRelationship else { return nil }
      name = former
    }
    return succession.source.flatMap { schema.model.entity(named: $0) }
      .flatMap { schema.model.relationship(named: name, of: $0) }
  }

  func objects(
    of source: String,
    without relationship: RelationshipDescription,
    _ succession: EntitySuccession
  ) throws(StoreError) -> Int64 {
    guard let entity = schema.model.entity(named: source) else { return 0 }
    let has =
      relationship.isToMany
      ? members(of: relationship, succession) : partner(of: relationship, succession)
    return try SourceCounts(work.store).rows(
      with: [.row(satisfyingNone: has)],
      ofEntity: schema.numbering.number(of: source),
      in: schema.table(of: entity).name
    )[0]
  }

  /// Sets of conditions; a row with an object in a to-one relationship satisfies one of them.
  private func partner(
    of relationship: RelationshipDescription,
    _ succession: EntitySuccession
  ) -> [[ColumnExpression]] {
    guard let entity = succession.destination.flatMap({ work.destination.model.entity(named: $0) }),
      let owner = work.destination.model.relationship(named: relationship.name, of: entity)?.owner,
      let column = work.destination.column(
        .foreignKey(PropertyKey(owner.name, relationship.name))
      ),
      let number = succession.source.map({ schema.numbering.number(of: $0) }),
      let rows = work.transfers.entityRows.first(where: {
        $0.destination == work.destination.table(of: entity).name
          && $0.entityNumbers[number] != nil
      })
    else { return [] }
    return [[.notNull(rows.value(of: column))]]
  }

  /// Sets of conditions; a row with members in a to-many relationship satisfies one of them.
  private func members(
    of relationship: RelationshipDescription,
    _ succession: EntitySuccession
  ) -> [[ColumnExpression]] {
    guard let rows = links(of: relationship, succession) else { return [] }
    guard !rows.isInNearRow else { return [[.notNull(.column(rows.farColumn))]] }
    let columns = rows.isSymmetric ? [rows.nearColumn, rows.farColumn] : [rows.nearColumn]
    return columns.map { [.matches(RowMatch(.source, rows.table).with($0, .column("Z_PK")))] }
  }

  /// The storage of a relationship's links in the source, which may continue its inverse.
  private func links(
    of relationship: RelationshipDescription,
    _ succession: EntitySuccession
  ) -> RelationshipRows? {
    if let (owner, found) = origin(of: relationship.name, along: succession) {
      return schema.rows(of: PropertyKey(owner.name, found.name))
    }
    guard let inverse = work.destination.model.inverse(of: relationship),
      let other = work.successions.first(where: { $0.destination == inverse.owner.name }),
      let (owner, found) = origin(of: inverse.relationship.name, along: other)
    else { return nil }
    return schema.rows(of: PropertyKey(owner.name, found.name))?.reversed
  }
}

internal import BulkStore

/// Makes the pairs of many-to-many relationships from the assignments to either side.
struct PairBuilder: Sendable {
  let partners: PartnerBuilder

  private var source: StoreSchema { partners.source }
  private var destination: StoreSchema { partners.destination }

  func transfers() -> [RowTransfer] {
    destination.joinTables.flatMap { table in
      needed(into: table).compactMap { transfer(into: table, $0.side, isReversed: $0.isReversed) }
    }
  }

  func checks() -> [ReferenceCheck] {
    destination.joinTables.flatMap { table -> [ReferenceCheck] in
      guard needed(into: table).contains(where: { keepsPairs($0.side, of: table) }) else {
        return []
      }
      let ends = [(table.ownerColumn, table.inverse), (table.memberColumn, table.owner)]
      return ends.compactMap { column, leadingThere in
        destination.target(of: leadingThere).map {
          ReferenceCheck(table.name, column, leadsTo: $0.table, $0.entities, else: .remove)
        }
      }
    }
  }

  private func keepsPairs(_ side: Side, of table: JoinTable) -> Bool {
    guard needed(into: table).count == 1 else { return false }
    let path = side.path
    guard path.links.count == 1, let rows = source.rows(of: path.links[0]) else {
      return false
    }
    return rows.isJoinTable && partners.keepsKeys(side.makers, at: path)
      && partners.keepsKeys([side.mapping], at: path.reversed)
  }

  private func needed(into table: JoinTable) -> [(side: Side, isReversed: Bool)] {
    guard let sides = partners.relationships.direct[table.owner]?.sides else { return [] }
    let inverses = sides.form.isSelfInverse ? [] : sides.second
    // Pairs that both sides provide are taken from the first.
    let others = inverses.filter { inverse in
      !inverse.relationship.makers.allSatisfy {
        sides.side(of: $0, at: .first)?.leads(to: inverse.mapping) ?? false
      }
    }
    return sides.first.compactMap { Side($0) }.map { ($0, false) }
      + others.compactMap { Side($0) }.map { ($0, true) }
  }

  /// A mapping with the objects that it assigns.
  private struct Side {
    let mapping: InstanceMapping
    let path: RelationshipPath
    let makers: [InstanceMapping]

    init?(_ side: RelationshipSide) {
      guard let (path, makers) = side.objects else { return nil }
      mapping = side.mapping
      self.path = path
      self.makers = makers
    }
  }

  /// `nil` where its path has several relationships, or one that is not stored.
  private func rows(of side: Side) -> RelationshipRows? {
    switch side.path.links.count {
    case 0: RelationshipRows(ofObjectsIn: side.mapping.sourceTable)
    case 1: source.rows(of: side.path.links[0])
    default: nil
    }
  }

  private func transfer(into table: JoinTable, _ side: Side, isReversed: Bool) -> RowTransfer? {
    guard let rows = rows(of: side) else { return nil }
    let isKept = keepsPairs(side, of: table)
    func key(_ column: String, _ makers: [InstanceMapping]) -> ColumnExpression {
      isKept ? .column(column) : PartnerBuilder.find(.column(column), makers).key
    }
    let near = key(rows.nearColumn, [side.mapping])
    let far = key(rows.farColumn, side.makers)
    guard near != .null, far != .null else { return nil }
    let pair = table.assignments(
      from: rows,
      near: near,
      far: far,
      isReversed: isReversed,
      keepsRowIDs: isKept
    )
    return RowTransfer(
      to: table.name,
      from: rows.table,
      pair,
      where: isKept ? [] : [.notNull(near), .notNull(far)],
      ignoresDuplicates: !isKept
    )
  }
}

internal import BulkModel
internal import BulkStore

/// Finds the partners of rows that entity mappings make, along relationships that follow from the rows, and the pairs
/// of join tables.
///
/// The partner follows from the relationship where the mapping assigns it, otherwise from the inverse under
/// the mappings of the other side: Core Data keeps both sides consistent whichever of them is set.
struct PartnerBuilder: Sendable {
  let relationships: AssignedRelationships
  let source: StoreSchema
  let destination: StoreSchema

  func partner(along key: PropertyKey, of mapping: InstanceMapping) -> Partner {
    guard let (relationship, end) = relationships.direct[key],
      destination.model.lineage(of: mapping.destination).contains(where: { $0.name == key.entity })
    else { return .none }
    guard let own = relationship.assignment(by: mapping, at: end) else {
      return backward(relationship.assignments(at: end.other), to: mapping)
    }
    return own.path.map { partner(at: $0, madeBy: own.makers, of: mapping) } ?? .none
  }

  func owner(of key: PropertyKey, holding mapping: InstanceMapping) -> Partner {
    let owners = relationships.direct[key]?.relationship.assignments(at: .first)
    return backward(owners ?? [], to: mapping)
  }

  private func backward(
    _ assignments: [LinkedRelationship.Assignment],
    to mapping: InstanceMapping
  ) -> Partner {
    let owners = assignments.filter { $0.leads(to: mapping) }
    guard let path = owners.first?.path?.reversed else { return .none }
    return partner(at: path, madeBy: owners.map(\.mapping), of: mapping)
  }

  private func partner(
    at path: RelationshipPath,
    madeBy makers: [InstanceMapping],
    of mapping: InstanceMapping
  ) -> Partner {
    guard let end = source.key(path) else { return .none }
    guard !path.links.isEmpty else {
      let maker = makers.first { $0.source.name == mapping.source.name }
      return maker.map {
        Partner(
          key: .shifted(end, by: $0.keyOffset),
          entityNumber: .number($0.destinationNumber),
          position: .null
        )
      } ?? .none
    }
    let found = Self.find(end, makers)
    var position = source.position(path)
    // Kept keys are copied and checked together afterwards, in their order.
    if path.links.count == 1, keepsKeys(makers, at: path) {
      if position != .null { position = .onlyWith(position, key: end) }
      return Partner(key: end, entityNumber: found.entityNumber, position: position, keepsKey: true)
    }
    if position != .null, let table = makers.first?.sourceTable {
      let numbers = Set(makers.map(\.sourceNumber)).sorted()
      position = .onlyIf(position, entityIn: .entityNumber(ofRowIn: table, key: end), numbers)
    }
    return Partner(
      key: found.key,
      entityNumber: found.entityNumber,
      position: makers.isEmpty ? .null : position
    )
  }

  /// The object that some mappings made from a source object, whose entity selects the mapping.
  private static func find(
    _ key: ColumnExpression,
    _ makers: [InstanceMapping]
  ) -> (key: ColumnExpression, entityNumber: ColumnExpression) {
    guard let table = makers.first?.sourceTable else { return (.null, .null) }
    func byEntity(_ value: (InstanceMapping) -> Int64) -> [Int64: Int64] {
      Dictionary(firstOf: makers.map { ($0.sourceNumber, value($0)) })
    }
    return (
      .translated(key, in: table, byEntity(\.keyOffset)),
      .renumbered(.entityNumber(ofRowIn: table, key: key), byEntity(\.destinationNumber))
    )
  }

  private func keepsKeys(_ makers: [InstanceMapping], at path: RelationshipPath) -> Bool {
    let made = Set(makers.map(\.source.name))
    return made.count == makers.count && Set(makers.map(\.destinationTable)).count == 1
      && makers.allSatisfy { !$0.isRecorded && $0.keyOffset == 0 }
      && source.model.hierarchy(from: path.end).allSatisfy {
        $0.isAbstract || made.contains($0.name)
      }
  }
}

// MARK: Join tables

extension PartnerBuilder {
  /// An assignment whose pairs a table needs, and its path.
  private typealias Pairs = (
    assignment: LinkedRelationship.Assignment, path: RelationshipPath, isReversed: Bool
  )

  func transfers() -> [RowTransfer] {
    destination.joinTables.flatMap { table in
      let needed = needed(into: table)
      return needed.compactMap { transfer(into: table, $0, isKept: areKept(needed)) }
    }
  }

  func checks() -> [ReferenceCheck] {
    destination.joinTables.filter { areKept(needed(into: $0)) }.flatMap { table in
      let ends = [(table.ownerColumn, table.inverse), (table.memberColumn, table.owner)]
      return ends.compactMap { column, leadingThere in
        destination.target(of: leadingThere).map {
          ReferenceCheck(table.name, column, leadsTo: $0.table, $0.entities, else: .remove)
        }
      }
    }
  }

  private func needed(into table: JoinTable) -> [Pairs] {
    guard let relationship = relationships.direct[table.owner]?.relationship else { return [] }
    return relationship.assignments.compactMap { assignment in
      let isReversed = assignment.end == .second
      // Pairs that both sides provide are taken from the first.
      if isReversed,
        assignment.makers.allSatisfy({
          relationship.assignment(by: $0, at: .first)?.leads(to: assignment.mapping) ?? false
        })
      {
        return nil
      }
      return assignment.path.map { (assignment, $0, isReversed) }
    }
  }

  /// Whether pairs keep their keys and rowids: all are those of a join table of the source.
  private func areKept(_ needed: [Pairs]) -> Bool {
    guard needed.count == 1, needed[0].path.links.count == 1,
      let rows = source.rows(of: needed[0].path.links[0])
    else { return false }
    let (assignment, path) = (needed[0].assignment, needed[0].path)
    return rows.isJoinTable && keepsKeys(assignment.makers, at: path)
      && keepsKeys([assignment.mapping], at: path.reversed)
  }

  /// `nil` where no pairs follow from rows.
  private func transfer(into table: JoinTable, _ pairs: Pairs, isKept: Bool) -> RowTransfer? {
    let (assignment, path) = (pairs.assignment, pairs.path)
    let stored =
      path.links.isEmpty
      ? RelationshipRows(ofObjectsIn: assignment.mapping.sourceTable)
      : path.links.count == 1 ? source.rows(of: path.links[0]) : nil
    guard let rows = stored else { return nil }
    func key(_ column: String, _ makers: [InstanceMapping]) -> ColumnExpression {
      isKept ? .column(column) : Self.find(.column(column), makers).key
    }
    let near = key(rows.nearColumn, [assignment.mapping])
    let far = key(rows.farColumn, assignment.makers)
    guard near != .null, far != .null else { return nil }
    return RowTransfer(
      to: table.name,
      from: rows.table,
      table.assignments(
        from: rows,
        near: near,
        far: far,
        isReversed: pairs.isReversed,
        keepsRowIDs: isKept
      ),
      where: isKept ? [] : [.notNull(near), .notNull(far)],
      ignoresDuplicates: !isKept
    )
  }
}

internal import BulkModel
internal import BulkStore

/// Finds the partner of a row that an entity mapping makes, along a relationship that follows from the row.
///
/// The partner follows from the relationship where the mapping assigns it, otherwise from the inverse under
/// the mappings of the other side: Core Data keeps both sides consistent whichever of them is set.
struct PartnerBuilder: Sendable {
  let relationships: DirectRelationships
  let links: LinkResolver

  var source: StoreSchema { links.source }
  var destination: StoreSchema { links.destination }

  func partner(along key: PropertyKey, of mapping: InstanceMapping) -> Partner {
    guard let (sides, end) = relationships.direct[key], isKind(mapping, of: key) else {
      return .none
    }
    guard let side = sides.side(of: mapping, at: end) else {
      return backward(sides.at(end.other), to: mapping)
    }
    guard let (path, makers) = side.objects else { return .none }
    return partner(at: path, madeBy: makers, of: side.mapping)
  }

  func owner(of key: PropertyKey, holding mapping: InstanceMapping) -> Partner {
    relationships.direct[key].map { backward($0.sides.first, to: mapping) } ?? .none
  }

  private func backward(_ sides: [RelationshipSide], to mapping: InstanceMapping) -> Partner {
    let owners = sides.filter { $0.leads(to: mapping) }
    guard let path = owners.first?.objects?.path.reversed else { return .none }
    return partner(at: path, madeBy: owners.map(\.mapping), of: mapping)
  }

  private func partner(
    at path: RelationshipPath,
    madeBy makers: [InstanceMapping],
    of mapping: InstanceMapping
  ) -> Partner {
    guard let end = links.key(path) else { return .none }
    let made = target(of: end, at: path, by: makers, of: mapping)
    let isKept = made.key == end && !path.links.isEmpty
    return Partner(
      key: made.key,
      entityNumber: made.entityNumber,
      position: position(at: path, end, isKept ? nil : makers),
      keepsKey: isKept
    )
  }

  private func position(
    at path: RelationshipPath,
    _ key: ColumnExpression,
    _ makers: [InstanceMapping]?
  ) -> ColumnExpression {
    let position = links.position(path)
    guard position != .null else { return .null }
    guard let makers else { return .onlyWith(position, key: key) }
    guard let table = makers.first?.sourceTable else { return .null }
    let numbers = Set(makers.map(\.sourceNumber)).sorted()
    return .onlyIf(position, entityIn: .entityNumber(ofRowIn: table, key: key), numbers)
  }

  func keepsKeys(_ makers: [InstanceMapping], at path: RelationshipPath) -> Bool {
    makers.allSatisfy { !$0.isRecorded && $0.keyOffset == 0 }
      && Set(makers.map(\.source.name)).count == makers.count
      && Set(makers.map(\.destinationTable)).count == 1
      && isComplete(makers, at: path)
  }

  private func isComplete(_ makers: [InstanceMapping], at path: RelationshipPath) -> Bool {
    let made = Set(makers.filter { !$0.isRecorded }.map(\.source.name))
    if path.links.isEmpty { return made.contains(path.end.name) }
    return source.model.hierarchy(from: path.end).allSatisfy {
      $0.isAbstract || made.contains($0.name)
    }
  }

  private func target(
    of key: ColumnExpression,
    at path: RelationshipPath,
    by makers: [InstanceMapping],
    of mapping: InstanceMapping
  ) -> (key: ColumnExpression, entityNumber: ColumnExpression) {
    if path.links.isEmpty {
      guard let maker = makers.first(where: { $0.source.name == mapping.source.name }) else {
        return (.null, .null)
      }
      return (.shifted(key, by: maker.keyOffset), .number(maker.destinationNumber))
    }
    let found = Self.find(key, makers)
    // Kept keys are copied and checked together afterwards, in their order.
    guard path.links.count == 1, case .column = key, keepsKeys(makers, at: path) else {
      return found
    }
    return (key, found.entityNumber)
  }

  /// The object that some mappings made from a source object, whose entity selects the mapping.
  static func find(
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

  private func isKind(_ mapping: InstanceMapping, of key: PropertyKey) -> Bool {
    destination.model.lineage(of: mapping.destination).contains { $0.name == key.entity }
  }
}

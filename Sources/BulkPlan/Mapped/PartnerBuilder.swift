internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Finds the partner of a row that an entity mapping makes, along a relationship that is stored in
/// the row.
///
/// The partner follows from the relationship itself where the mapping says something of it. Otherwise
/// it follows from the inverse under the mappings of the other side, as Core Data keeps both sides
/// alike whichever of them is set.
struct PartnerBuilder: Sendable {
  /// A row's partner.
  struct Partner {
    /// The destination key.
    let key: ColumnExpression
    /// The number of its entity in the destination.
    let entityNumber: ColumnExpression
    /// The row's place among those of the partner.
    let place: ColumnExpression
    /// The key of the source object, where some of those that are meant may not be migrated.
    let doubtful: ColumnExpression?
    /// Whether the key is the source's as it stands, which may lead nowhere.
    let isKept: Bool

    static let none = Partner(
      key: .null,
      entityNumber: .null,
      place: .null,
      doubtful: nil,
      isKept: false
    )
  }

  private let source: ManagedObjectModel
  private let destination: StoreSchema
  private let mappings: [InstanceMapping]
  private let relationships: MappedRelationships
  private let routes: RouteReader
  /// Whether every key is looked up before it is written.
  let looksUpKeys: Bool

  init(
    _ mappings: [InstanceMapping],
    _ relationships: MappedRelationships,
    _ routes: RouteReader,
    from source: ManagedObjectModel,
    to destination: StoreSchema,
    looksUpKeys: Bool
  ) {
    self.looksUpKeys = looksUpKeys
    self.source = source
    self.mappings = mappings
    self.relationships = relationships
    self.routes = routes
    self.destination = destination
  }

  /// The partner along a to-one relationship.
  func partner(along key: PropertyKey, of mapping: InstanceMapping) -> Partner {
    guard
      let owner = destination.model.entity(named: key.entity),
      isKind(mapping.destination, of: owner),
      let relationship = owner.relationships.first(where: { $0.name == key.property })
    else { return .none }
    if relationships.isEmptied(key.property, under: mapping) { return .none }
    if let value = relationships.value(of: key.property, under: mapping) {
      return forward(value, from: mapping)
    }
    guard let inverse = destination.model.inverse(of: relationship) else { return .none }
    return backward(inverse.relationship.name, of: inverse.owner, from: mapping)
  }

  /// The owner of a to-many relationship without inverse.
  func owner(of key: PropertyKey, holding mapping: InstanceMapping) -> Partner {
    guard let owner = destination.model.entity(named: key.entity) else { return .none }
    return backward(key.property, of: owner, from: mapping)
  }

  private func forward(_ value: MappedRelationship, from mapping: InstanceMapping) -> Partner {
    guard let end = routes.key(value.route) else { return .none }
    let found = made(of: end, at: value.route, by: value.targets, from: mapping)
    return Partner(
      key: found.key,
      entityNumber: found.entityNumber,
      place: routes.place(value.route),
      doubtful: isComplete(value.targets, at: value.route) ? nil : end,
      isKept: found.key == end && !value.route.hops.isEmpty
    )
  }

  /// Whether the objects at the end of a route keep their keys, all of them.
  func keepsKeys(_ targets: [Int], at route: SourceRoute) -> Bool {
    let makers = mappings.filter { targets.contains($0.index) }
    return makers.allSatisfy { !$0.isRecorded && $0.keyOffset == 0 }
      && Set(makers.map(\.source.name)).count == makers.count
      && Set(makers.map(\.destinationTable)).count == 1
      && isComplete(targets, at: route)
  }

  /// Whether every object at the end of a route is made into one.
  func isComplete(_ targets: [Int], at route: SourceRoute) -> Bool {
    let makers = mappings.filter { targets.contains($0.index) && !$0.isRecorded }
    let made = Set(makers.map(\.source.name))
    if route.hops.isEmpty { return made.contains(route.end.name) }
    return source.hierarchy(from: route.end).allSatisfy { $0.isAbstract || made.contains($0.name) }
  }

  private func backward(
    _ relationship: String,
    of owner: EntityDescription,
    from mapping: InstanceMapping
  ) -> Partner {
    var keys: [(key: ColumnExpression, number: ColumnExpression)] = []
    var places: [ColumnExpression] = []
    var doubtful: ColumnExpression?
    var isKept = false
    // The mapping that comes last has the last word.
    for other in mappings.reversed() where isKind(other.destination, of: owner) {
      guard
        let value = relationships.value(of: relationship, under: other),
        value.targets.contains(mapping.index),
        let start = routes.key(value.route.reversed)
      else { continue }
      let back = value.route.reversed
      let found = made(of: start, at: back, by: [other.index], from: mapping)
      if !isComplete([other.index], at: back) { doubtful = start }
      isKept = found.key == start && !back.hops.isEmpty
      keys.append((found.key, found.entityNumber))
      places.append(routes.place(back))
    }
    guard let first = keys.first else { return .none }
    guard keys.count > 1 else {
      return Partner(
        key: first.key,
        entityNumber: first.number,
        place: places[0],
        doubtful: doubtful,
        isKept: isKept
      )
    }
    return Partner(
      key: .firstCase(keys.map { .init($0.key, $0.key) }),
      entityNumber: .firstCase(keys.map { .init($0.key, $0.number) }),
      place: .firstCase(zip(keys, places).map { .init($0.0.key, $0.1) }),
      doubtful: doubtful,
      isKept: false
    )
  }

  /// The object that some mappings made of the source object with a key, and its entity's number.
  func made(
    of key: ColumnExpression,
    at route: SourceRoute,
    by targets: [Int],
    from mapping: InstanceMapping
  ) -> (key: ColumnExpression, entityNumber: ColumnExpression) {
    let makers = mappings.filter { targets.contains($0.index) }
    if route.hops.isEmpty {
      return Self.chosen(
        makers.reversed().filter { $0.source.name == mapping.source.name }.map { maker in
          let found: ColumnExpression =
            maker.isRecorded
            ? .associated(maker.index, key: key) : .shifted(key, by: maker.keyOffset)
          return (found, .number(maker.destinationNumber), !maker.isRecorded)
        }
      )
    }
    let found = Self.chosen(Self.alternatives(key, makers))
    // Keys that stay are taken over and looked at together afterwards, in their order.
    guard !looksUpKeys, route.hops.count == 1, case .column = key, keepsKeys(targets, at: route)
    else {
      return found
    }
    return (key, found.entityNumber)
  }

  /// The ways to find an object, the one with the last word first.
  ///
  /// Mappings whose keys follow from the source keys are asked together, one after the other where
  /// they read the same entity.
  static func alternatives(
    _ key: ColumnExpression,
    _ makers: [InstanceMapping]
  ) -> [(key: ColumnExpression, number: ColumnExpression, isCertain: Bool)] {
    var result: [(key: ColumnExpression, number: ColumnExpression, isCertain: Bool)] = []
    var group: [InstanceMapping] = []
    func close() {
      guard let table = group.first?.sourceTable else { return }
      let offsets = Dictionary(
        group.map { ($0.sourceNumber, $0.keyOffset) },
        uniquingKeysWith: { first, _ in first }
      )
      let numbers = Dictionary(
        group.map { ($0.sourceNumber, $0.destinationNumber) },
        uniquingKeysWith: { first, _ in first }
      )
      result.append(
        (
          .translated(key, in: table, offsets),
          Set(numbers.values).count == 1
            ? .number(group[0].destinationNumber)
            : .renumbered(.entityNumber(ofRowIn: table, key: key), numbers),
          false
        )
      )
      group = []
    }
    for maker in makers.reversed() {
      if maker.isRecorded {
        close()
        result.append(
          (
            .associated(maker.index, key: key), .number(maker.destinationNumber), false
          )
        )
      } else {
        group.append(maker)
      }
    }
    close()
    return result
  }

  private static func chosen(
    _ ways: [(key: ColumnExpression, number: ColumnExpression, isCertain: Bool)]
  ) -> (key: ColumnExpression, entityNumber: ColumnExpression) {
    guard let first = ways.first else { return (.null, .null) }
    if first.isCertain { return (first.key, first.number) }
    return (
      ways.count == 1 ? first.key : .firstCase(ways.map { .init($0.key, $0.key) }),
      .firstCase(ways.map { .init($0.key, $0.number) })
    )
  }

  private func isKind(_ entity: EntityDescription, of other: EntityDescription) -> Bool {
    destination.model.lineage(of: entity).contains { $0.name == other.name }
  }
}

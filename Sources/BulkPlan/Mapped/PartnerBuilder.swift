internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Finds the partner of a row that an entity mapping makes, along a relationship that the row itself tells.
///
/// The partner follows from the relationship where the mapping says something of it, else from the inverse
/// under the mappings of the other side: Core Data keeps both sides alike whichever of them is set.
struct PartnerBuilder: Sendable {
  /// A row's partner.
  struct Partner {
    /// The destination key.
    let key: ColumnExpression
    /// The number of its entity in the destination.
    let entityNumber: ColumnExpression
    /// The row's place among those of the partner.
    let place: ColumnExpression
    /// The source object, where perhaps nothing is made of some of those that are meant.
    let doubtful: DoubtfulPartner?
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

  private let mappings: [InstanceMapping]
  private let source: StoreSchema
  private let destination: StoreSchema
  private let relationships: DirectRelationships
  private let routes: RouteReader
  /// Whether every key is looked up before it is written.
  let looksUpKeys: Bool

  init(
    _ mappings: [InstanceMapping],
    _ relationships: DirectRelationships,
    _ routes: RouteReader,
    from source: StoreSchema,
    to destination: StoreSchema,
    looksUpKeys: Bool
  ) {
    self.looksUpKeys = looksUpKeys
    self.mappings = mappings
    self.source = source
    self.relationships = relationships
    self.routes = routes
    self.destination = destination
  }

  /// The partner along a to-one relationship.
  func partner(along key: PropertyKey, of mapping: InstanceMapping) -> Partner {
    guard let (sides, end) = relationships.sides(of: key), isKind(mapping, of: key) else {
      return .none
    }
    if let side = sides.side(of: mapping, at: end) { return forward(side) }
    return backward(sides.at(end.other), to: mapping)
  }

  /// The owner of a to-many relationship without inverse.
  func owner(of key: PropertyKey, holding mapping: InstanceMapping) -> Partner {
    relationships.sides(of: key).map { backward($0.sides.first, to: mapping) } ?? .none
  }

  private func forward(_ side: RelationshipSide) -> Partner {
    guard let (route, makers) = side.objects else { return .none }
    return partner(at: route, madeBy: makers, of: side.mapping)
  }

  private func backward(_ sides: [RelationshipSide], to mapping: InstanceMapping) -> Partner {
    let owners = sides.filter { $0.leads(to: mapping) }
    guard let route = owners.first?.objects?.route.reversed else { return .none }
    return partner(at: route, madeBy: owners.map(\.mapping), of: mapping)
  }

  private func partner(
    at route: SourceRoute,
    madeBy makers: [InstanceMapping],
    of mapping: InstanceMapping
  ) -> Partner {
    guard let end = routes.key(route) else { return .none }
    let found = made(of: end, at: route, by: makers, of: mapping)
    let isKept = found.key == end && !route.hops.isEmpty
    return Partner(
      key: found.key,
      entityNumber: found.entityNumber,
      place: place(at: route, end, isKept ? nil : makers),
      doubtful: doubt(of: end, at: route, makers),
      isKept: isKept
    )
  }

  /// The row's place among those of its partner, if it has one.
  private func place(
    at route: SourceRoute,
    _ key: ColumnExpression,
    _ makers: [InstanceMapping]?
  ) -> ColumnExpression {
    let place = routes.place(route)
    guard place != .null else { return .null }
    guard let makers else { return .onlyWith(place, key: key) }
    guard let table = makers.first?.sourceTable else { return .null }
    let numbers = Set(makers.map(\.sourceNumber)).sorted()
    return .onlyIf(place, entityIn: .entityNumber(ofRowIn: table, key: key), numbers)
  }

  /// Whether the objects at the end of a route keep their keys, all of them.
  func keepsKeys(_ makers: [InstanceMapping], at route: SourceRoute) -> Bool {
    makers.allSatisfy { !$0.isRecorded && $0.keyOffset == 0 }
      && Set(makers.map(\.source.name)).count == makers.count
      && Set(makers.map(\.destinationTable)).count == 1
      && isComplete(makers, at: route)
  }

  /// What is in doubt of the object at the end of a route.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - route: The route.
  ///   - makers: The mappings that fill the relationship.
  /// - Returns: The doubt; `nil` if the object is made into one in any case.
  func doubt(
    of key: ColumnExpression,
    at route: SourceRoute,
    _ makers: [InstanceMapping]
  ) -> DoubtfulPartner? {
    guard !isComplete(makers, at: route) else { return nil }
    let others = mappings.filter { mapping in !makers.contains { $0.index == mapping.index } }
    let ends = source.model.hierarchy(from: route.end).map { source.numbering.number(of: $0.name) }
    return DoubtfulPartner(
      key: key,
      table: source.table(of: route.end).name,
      overlooked: ends.filter { number in others.contains { $0.sourceNumber == number } }.sorted()
    )
  }

  /// Whether every object at the end of a route is made into one.
  private func isComplete(_ makers: [InstanceMapping], at route: SourceRoute) -> Bool {
    let made = Set(makers.filter { !$0.isRecorded }.map(\.source.name))
    if route.hops.isEmpty { return made.contains(route.end.name) }
    return source.model.hierarchy(from: route.end).allSatisfy {
      $0.isAbstract || made.contains($0.name)
    }
  }

  /// The object that some mappings made of the source object with a key, and its entity's number.
  private func made(
    of key: ColumnExpression,
    at route: SourceRoute,
    by makers: [InstanceMapping],
    of mapping: InstanceMapping
  ) -> (key: ColumnExpression, entityNumber: ColumnExpression) {
    if route.hops.isEmpty {
      guard let maker = makers.first(where: { $0.source.name == mapping.source.name }) else {
        return (.null, .null)
      }
      return (.shifted(key, by: maker.keyOffset), .number(maker.destinationNumber))
    }
    let found = Self.found(key, makers)
    // Keys that stay are taken over and looked at together afterwards, in their order.
    guard !looksUpKeys, route.hops.count == 1, case .column = key, keepsKeys(makers, at: route)
    else {
      return found
    }
    return (key, found.entityNumber)
  }

  /// The object that some mappings made of a source object, which tells by its entity which of them.
  static func found(
    _ key: ColumnExpression,
    _ makers: [InstanceMapping]
  ) -> (key: ColumnExpression, entityNumber: ColumnExpression) {
    guard let table = makers.first?.sourceTable else { return (.null, .null) }
    func byEntity(_ value: (InstanceMapping) -> Int64) -> [Int64: Int64] {
      Dictionary(
        makers.map { ($0.sourceNumber, value($0)) },
        uniquingKeysWith: { first, _ in first }
      )
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

internal import BulkAssociation
internal import BulkLowering
internal import BulkModel
internal import BulkStore

/// Follows the links of one side from far source objects to the objects that the side's makers made from
/// them.
struct LinkFollower {
  /// Marks an object that was not made, and an entity that is not known.
  static let unmade = Int64.min

  /// What a link needs to know of a mapping that may have made its far object.
  private struct Maker {
    let index: Int
    /// The index of the first mapping that shares its objects.
    let firstSharing: Int
    /// The keys of its objects; `nil` if an association table records them.
    let derived: DerivedKeys?
    /// The loss if this mapping made a member whose owner was not made; `nil` if the member is assigned an
    /// owner itself.
    let loss: Loss?

    var isRecorded: Bool { derived == nil }
  }

  /// A relationship that loses links.
  private struct Loss {
    let relationship: String
    /// The entity of the member's source object.
    let entity: String
    let isOverlooked: Bool
  }

  private let end: Link.End
  private let makers: [Maker]
  private let name: String
  /// The entity of the near source objects.
  private let sourceEntity: String
  /// Whether a link is lost if its far object was not made.
  private let losesLinks: Bool
  /// The source entities that mappings other than the makers read.
  private let readElsewhere: Set<Int64>
  private let entity: (Int64) throws -> Int64?
  /// How many links were lost.
  private(set) var losses = LinkLosses()

  /// Prepares to follow links.
  ///
  /// - Parameters:
  ///   - side: The side.
  ///   - relationship: Its relationship.
  ///   - mappings: All mappings, by their indexes.
  ///   - entity: Finds the number of the entity of a far source object.
  init(
    _ side: LinkedRelationship.Side,
    of relationship: LinkedRelationship,
    mappings: [Int64: InstanceMapping],
    entity: @escaping (Int64) throws -> Int64?
  ) {
    end = Link.End(side.end)
    name = side.name
    sourceEntity = side.mapping.source.name
    losesLinks = side.losesLinks(of: relationship) && !side.repeatsAnother(of: relationship)
    self.entity = entity
    readElsewhere = Self.entities(of: mappings, besides: side.makers)
    makers = side.makers.map { maker in
      Maker(
        index: maker.index,
        firstSharing: maker.firstSharing,
        derived: maker.isRecorded ? nil : DerivedAssociations.keys(of: maker),
        loss: Self.loss(of: maker, side, relationship, mappings)
      )
    }
  }

  /// Whether objects at the far end are found in association tables.
  var needsAssociations: Bool { makers.contains(where: \.isRecorded) }

  /// Whether the entities of far source objects determine which objects were made from them.
  var readsEntities: Bool { makers.contains { !$0.isRecorded } }

  /// Follows links, which come in the order of the far source objects' keys.
  mutating func follow(
    _ links: SortedLinks,
    _ associations: AssociationTables,
    _ body: (Link) throws -> Void
  ) throws {
    var page = LinkPage()
    while try page.fill(links.next) {
      let keys = page.keys(end.other)
      let found = try makers.map {
        $0.isRecorded ? try associations.matches(of: keys, in: $0.index) : []
      }
      var next = [Int](repeating: 0, count: makers.count)
      for (place, link) in page.links.enumerated() {
        var isMade = false
        var made: Int64 = 0
        for (number, maker) in makers.enumerated() {
          guard maker.isRecorded else {
            isMade = try followKey(of: link, maker, body) || isMade
            continue
          }
          while next[number] < found[number].count, found[number][next[number]].position == place {
            isMade = true
            var link = link
            link.number = made
            made += 1
            try pass(link, to: found[number][next[number]].destinationKey, by: maker, body)
            next[number] += 1
          }
        }
        if !isMade { try countLoss(of: link) }
      }
    }
  }

  /// Follows a link by the keys alone; no maker is recorded.
  mutating func follow(_ link: Link, _ body: (Link) throws -> Void) throws {
    var isMade = false
    for maker in makers { isMade = try followKey(of: link, maker, body) || isMade }
    if !isMade { try countLoss(of: link) }
  }

  /// Follows a link to the object whose key follows from that of the far source object.
  ///
  /// - Returns: Whether the maker made it.
  private mutating func followKey(
    of link: Link,
    _ maker: Maker,
    _ body: (Link) throws -> Void
  ) throws -> Bool {
    let far = link[end.other]
    guard let object = maker.derived?.object(of: far.source, ofEntity: far.maker) else {
      return false
    }
    try pass(link, to: object, by: maker, body)
    return true
  }

  private mutating func pass(
    _ link: Link,
    to object: Int64,
    by maker: Maker,
    _ body: (Link) throws -> Void
  ) throws {
    guard link[end].object != Self.unmade else {
      if let loss = maker.loss {
        losses.add(
          loss.relationship,
          of: loss.entity,
          link[end.other].source,
          isOverlooked: loss.isOverlooked
        )
      }
      return
    }
    var link = link
    link[end.other].maker = Int64(maker.firstSharing)
    link[end.other].object = object
    try body(link)
  }

  /// Counts a link from an object that was made to an existing one from which none was made.
  private mutating func countLoss(of link: Link) throws {
    guard losesLinks, link[end].object != Self.unmade else { return }
    let far = link[end.other]
    guard let number = try readsEntities ? far.maker : entity(far.source), number != Self.unmade
    else { return }
    losses.add(
      name,
      of: sourceEntity,
      link[end].source,
      isOverlooked: readElsewhere.contains(number)
    )
  }

  /// The loss of a member whose owner was not made, where only the owner's mapping assigns the relationship.
  private static func loss(
    of maker: InstanceMapping,
    _ side: LinkedRelationship.Side,
    _ relationship: LinkedRelationship,
    _ mappings: [Int64: InstanceMapping]
  ) -> Loss? {
    guard side.canLoseMembers(of: relationship), let inverse = side.inverse,
      relationship.side(assigning: Int64(maker.firstSharing), at: .second) == nil
    else { return nil }
    let owners = relationship.sides.filter { $0.end == .first }.map(\.mapping)
    return Loss(
      relationship: "\(maker.destination.name).\(inverse)",
      entity: maker.source.name,
      isOverlooked: entities(of: mappings, besides: owners).contains(side.mapping.sourceNumber)
    )
  }

  /// The source entities of all mappings but the given ones.
  private static func entities(
    of mappings: [Int64: InstanceMapping],
    besides known: [InstanceMapping]
  ) -> Set<Int64> {
    let indexes = Set(known.map(\.index))
    return Set(mappings.values.filter { !indexes.contains($0.index) }.map(\.sourceNumber))
  }
}

extension LinkedRelationship.Side {
  /// Whether a link is lost if no object was made from the one at its end.
  func losesLinks(of relationship: LinkedRelationship) -> Bool {
    !canLoseMembers(of: relationship) && !makesPartners
  }

  /// Whether another mapping makes objects of the same source objects, all of them, and assigns the same links:
  /// a link that both lose is counted once.
  fileprivate func repeatsAnother(of relationship: LinkedRelationship) -> Bool {
    relationship.sides.contains { other in
      other.end == end && other.mapping.source.name == mapping.source.name && other.query == query
        && !other.mapping.isRecorded
        && (mapping.isRecorded || other.mapping.index < mapping.index)
    }
  }

  /// Whether the objects are made from the same source objects, found or divided: without one there was no link
  /// in the source that could be lost.
  private var makesPartners: Bool {
    query?.steps.isEmpty ?? false && makers.allSatisfy { $0.isMerging || $0.isDividing }
  }
}

/// Links that are looked up together.
struct LinkPage {
  private static let capacity = 1024

  private(set) var links: ContiguousArray<Link> = []

  /// Replaces the links by the next ones of a body.
  ///
  /// - Returns: Whether there are any.
  mutating func fill(_ next: () throws -> Link?) rethrows -> Bool {
    links.removeAll(keepingCapacity: true)
    while links.count < Self.capacity, let link = try next() { links.append(link) }
    return !links.isEmpty
  }

  /// The keys of the source objects at an end.
  func keys(_ end: Link.End) -> [Int64] { links.map { $0[end].source } }
}

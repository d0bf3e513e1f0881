internal import BulkLowering
internal import BulkAssociation
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Turns what entity mappings assign to a relationship into links between objects.
struct LinkCollector {
  /// The number of links that are looked up together.
  private static let pageLinks = 1024
  /// The number of links between two reports.
  private static let linksBetweenReports = 16_384
  /// Marks an object that was not made.
  private static let unmade = Int64.min

  private let session: StoreSession
  private let associations: AssociationTables
  private let mappings: [Int64: InstanceMapping]
  private let scratch: LinkScratch
  private let report: () throws -> Void
  /// How many links were lost because the mappings that fill a relationship made no object.
  private(set) var losses = LinkLosses()

  init(
    _ session: StoreSession,
    _ associations: AssociationTables,
    mappings: [Int64: InstanceMapping],
    in scratch: LinkScratch,
    _ report: @escaping () throws -> Void
  ) {
    self.session = session
    self.associations = associations
    self.mappings = mappings
    self.scratch = scratch
    self.report = report
  }

  /// The links of all assignments to a relationship and its inverse, sorted.
  ///
  /// A pair of a to-many relationship that is its own inverse always has the same object first, whichever
  /// of the two is assigned to.
  mutating func links(
    of relationship: LinkedRelationship,
    _ order: LinkOrder
  ) throws -> SortedLinks {
    let sorter = LinkSorter(order, in: scratch)
    var isPair = false
    if case .manyToMany = relationship.form { isPair = relationship.form.isSelfInverse }
    for side in relationship.sides {
      guard let query = side.query else { continue }
      try collect(side, query, of: relationship) { link in
        let isInverted = isPair && link.first.object > link.second.object
        try sorter.add(isInverted ? link.inverted : link)
      }
    }
    return try sorter.sorted()
  }

  /// Follows the links of a side from source objects to the objects made from them.
  private mutating func collect(
    _ side: LinkedRelationship.Side,
    _ query: LinkQuery,
    of relationship: LinkedRelationship,
    _ body: (Link) throws -> Void
  ) throws {
    let end = Link.End(side.end)
    let rows = try sourceLinks(side, query)
    if !side.mapping.isRecorded, !side.makers.contains(where: \.isRecorded) {
      while let link = try rows() {
        try follow(link, on: side, of: relationship, recorded: { _ in [] }, body)
      }
      return
    }
    var found = rows
    if side.mapping.isRecorded { found = try makers(found, side, end) }
    let sorted = try self.sorted(found, .source(end.other))
    while let page = try Self.page(of: sorted) {
      try follow(page, on: side, of: relationship, body)
    }
  }

  /// The links of the source: the far object's maker stands for its entity.
  private func sourceLinks(
    _ side: LinkedRelationship.Side,
    _ query: LinkQuery
  ) throws -> () throws -> Link? {
    let reader = try LinkReader(query, session)
    let (mapping, end) = (side.mapping, Link.End(side.end))
    var count = 0
    return { [report] in
      guard let row = try reader.next() else { return nil }
      count += 1
      if count.isMultiple(of: Self.linksBetweenReports) { try report() }
      return Link(
        assigning: end,
        of: LinkEnd(
          maker: Int64(mapping.index),
          source: row.near,
          object: row.near &+ mapping.keyOffset
        ),
        to: LinkEnd(maker: row.farEntity ?? Self.unmade, source: row.far, object: row.far),
        rank: row.rank,
        place: row.place,
        position: Int64(side.position)
      )
    }
  }

  /// The links with the objects that the side's mapping made from the near source objects; ``unmade`` where
  /// it made none.
  private func makers(
    _ links: () throws -> Link?,
    _ side: LinkedRelationship.Side,
    _ end: Link.End
  ) throws -> () throws -> Link? {
    let sorted = try self.sorted(links, .source(end))
    var open: [Link] = []
    return { [associations] in
      while open.isEmpty {
        guard let page = try Self.page(of: sorted) else { return nil }
        let found = try associations.destinationKeys(
          of: page.map(\.[end].source),
          in: side.mapping.index
        )
        for (link, objects) in zip(page, found) {
          for object in objects.isEmpty ? [Self.unmade] : objects {
            var link = link
            link[end].object = object
            open.append(link)
          }
        }
        open.reverse()
      }
      return open.removeLast()
    }
  }

  /// Passes on the links to the objects that the side's makers made from the far source objects of a page.
  private mutating func follow(
    _ page: [Link],
    on side: LinkedRelationship.Side,
    of relationship: LinkedRelationship,
    _ body: (Link) throws -> Void
  ) throws {
    let keys = page.map(\.[Link.End(side.end).other].source)
    let found = try side.makers.map { maker in
      maker.isRecorded ? try associations.destinationKeys(of: keys, in: maker.index) : []
    }
    for (place, link) in page.enumerated() {
      try follow(link, on: side, of: relationship, recorded: { found[$0][place] }, body)
    }
  }

  /// Passes on the links to the objects that the side's makers made from a far source object.
  ///
  /// What a maker made is looked up by the maker's index, and only if it does not follow from the keys.
  private mutating func follow(
    _ link: Link,
    on side: LinkedRelationship.Side,
    of relationship: LinkedRelationship,
    recorded: (Int) -> [Int64],
    _ body: (Link) throws -> Void
  ) throws {
    let end = Link.End(side.end)
    let far = link[end.other]
    var isMade = false
    for (index, maker) in side.makers.enumerated() {
      guard !maker.isRecorded else {
        for object in recorded(index) {
          isMade = true
          try tell(link, to: object, by: maker, on: side, of: relationship, body)
        }
        continue
      }
      guard far.maker == maker.sourceNumber else { continue }
      isMade = true
      let object = far.source &+ maker.keyOffset
      try tell(link, to: object, by: maker, on: side, of: relationship, body)
    }
    if !isMade, far.maker != Self.unmade, link[end].object != Self.unmade,
      !(relationship.form.isOneToMany && side.end == .first)
    {
      losses.add(side.name, isOverlooked: isRead(far.maker, besides: side.makers))
    }
  }

  private mutating func tell(
    _ link: Link,
    to object: Int64,
    by maker: InstanceMapping,
    on side: LinkedRelationship.Side,
    of relationship: LinkedRelationship,
    _ body: (Link) throws -> Void
  ) throws {
    let end = Link.End(side.end)
    guard link[end].object != Self.unmade else {
      return countLoss(of: maker, side, relationship)
    }
    var link = link
    link[end.other].maker = Int64(maker.index)
    link[end.other].object = object
    try body(link)
  }

  /// Counts a member that loses its owner, because only the owner's mapping assigns the relationship and
  /// the owner was not made.
  private mutating func countLoss(
    of maker: InstanceMapping,
    _ side: LinkedRelationship.Side,
    _ relationship: LinkedRelationship
  ) {
    guard relationship.form.isOneToMany, side.end == .first, let inverse = side.inverse,
      relationship.position(assigning: Int64(maker.index), at: .second) == nil
    else { return }
    let owners = relationship.sides.filter { $0.end == .first }.map(\.mapping)
    losses.add(
      "\(maker.destination.name).\(inverse)",
      isOverlooked: isRead(side.mapping.sourceNumber, besides: owners)
    )
  }

  /// Whether other mappings than the given ones read objects of a source entity.
  private func isRead(_ entity: Int64, besides known: [InstanceMapping]) -> Bool {
    mappings.values.contains { mapping in
      mapping.sourceNumber == entity && !known.contains { $0.index == mapping.index }
    }
  }

  private func sorted(_ links: () throws -> Link?, _ order: LinkOrder) throws -> SortedLinks {
    let sorter = LinkSorter(order, in: scratch)
    while let link = try links() { try sorter.add(link) }
    return try sorter.sorted()
  }

  private static func page(of links: SortedLinks) throws -> [Link]? {
    var page: [Link] = []
    while page.count < pageLinks, let link = try links.next() { page.append(link) }
    return page.isEmpty ? nil : page
  }
}

extension Link.End {
  init(_ end: RelationshipEnd) {
    switch end {
    case .first: self = .first
    case .second: self = .second
    }
  }
}

extension RelationshipForm {
  fileprivate var isOneToMany: Bool {
    switch self {
    case .oneToMany: true
    case .toOne, .oneToOne, .manyToMany: false
    }
  }
}

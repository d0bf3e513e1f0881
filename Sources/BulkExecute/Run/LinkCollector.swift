internal import BulkPlan
internal import BulkMapping
internal import BulkStore

/// Turns the assignments of entity mappings to a relationship into links between objects.
struct LinkCollector {
  private static let linksBetweenReports = 16_384

  let run: Run
  let scratch: SortScratch

  /// The links of all assignments to a relationship and its inverse, sorted.
  ///
  /// A pair of a to-many relationship that is its own inverse always has the same object first, whichever
  /// of the two is assigned to.
  func links(
    of relationship: LinkedRelationship,
    _ order: LinkOrder
  ) throws -> SortedLinks {
    let sorter = LinkSorter(order, in: scratch)
    var isPair = false
    if case .manyToMany = relationship.form { isPair = relationship.form.isSelfInverse }
    for side in relationship.assignments {
      guard let query = side.query else { continue }
      try collect(side, query, of: relationship) { link in
        let isInverted = isPair && link.first.object > link.second.object
        try sorter.add(isInverted ? link.inverted : link)
      }
    }
    return try sorter.sorted()
  }

  /// The links of a side whose near objects are made later, row by row; their keys follow from those of the
  /// rows.
  func rowLinks(
    of side: LinkedRelationship.Assignment,
    _ relationship: LinkedRelationship
  ) throws -> SortedLinks {
    let sorter = LinkSorter(.object(Link.End(side.end)), in: scratch)
    if let query = side.query {
      try collect(side, query, of: relationship, areNearMade: false) { try sorter.add($0) }
    }
    return try sorter.sorted()
  }

  private func collect(
    _ side: LinkedRelationship.Assignment,
    _ query: LinkQuery,
    of relationship: LinkedRelationship,
    areNearMade: Bool = true,
    _ body: (Link) throws -> Void
  ) throws {
    func eachNear(readsEntities: Bool, _ body: (Link) throws -> Void) throws {
      let links = try sourceLinks(side, query, of: relationship, readsEntities: readsEntities)
      if areNearMade && side.mapping.isRecorded {
        try eachMade(links, by: side, query, body)
      } else {
        while let link = try links() { try body(link) }
      }
    }
    let follower = LinkFollower(side)
    if follower.needsAssociations {
      let sorter = LinkSorter(.source(Link.End(side.end).other), in: scratch)
      try eachNear(readsEntities: follower.readsEntities) { try sorter.add($0) }
      try follower.follow(sorter.sorted(), run, body)
    } else {
      try eachNear(readsEntities: true) { try follower.follow($0, body) }
    }
  }

  private func eachMade(
    _ links: @escaping () throws -> Link?,
    by side: LinkedRelationship.Assignment,
    _ query: LinkQuery,
    _ body: (Link) throws -> Void
  ) throws {
    let end = Link.End(side.end)
    let sorted = query.isInOrder ? links : try self.sorted(links, .source(end))
    let kinds = run.work.destination.numbers(ofKindsOf: side.key.entity)
    var page = LinkPage()
    while try page.fill(sorted) {
      let keys = page.keys(end)
      let matches = try run.associations.matches(of: keys, in: side.mapping.index)
      let entities = try run.associations.entities(of: matches, from: keys, by: side.mapping)
      for (number, match) in matches.enumerated() {
        // The mapping's relationships are those of objects that have them.
        if let entities, !kinds.contains(entities[number]) { continue }
        var link = page.links[match.position]
        link[end].object = match.destinationKey
        try body(link)
      }
    }
  }

  /// The links of the source: the far object's maker is the number of its entity.
  private func sourceLinks(
    _ side: LinkedRelationship.Assignment,
    _ query: LinkQuery,
    of relationship: LinkedRelationship,
    readsEntities: Bool
  ) throws -> () throws -> Link? {
    let reader = try LinkReader(query, readsEntities: readsEntities, run.session)
    let maker = Int64(side.mapping.firstSharing)
    let offset = side.mapping.keyOffset
    let union = side.union(of: relationship)
    let takesOne = side.takesOne
    let (end, position) = (Link.End(side.end), Int64(side.position))
    var count = 0
    return { [run] in
      guard let row = try reader.next() else { return nil }
      count += 1
      if count.isMultiple(of: Self.linksBetweenReports) { try run.report() }
      var link = Link(
        assigning: end,
        of: LinkEnd(maker: maker, source: row.near, object: row.near &+ offset),
        to: LinkEnd(
          maker: row.farEntity ?? LinkFollower.unknown,
          source: row.far,
          object: row.far
        ),
        rank: row.rank,
        inverseRank: row.inverseRank,
        position: position,
        union: union
      )
      link.takesOne = takesOne
      return link
    }
  }

  private func sorted(
    _ links: () throws -> Link?,
    _ order: LinkOrder
  ) throws -> () throws -> Link? {
    let sorter = LinkSorter(order, in: scratch)
    while let link = try links() { try sorter.add(link) }
    let sorted = try sorter.sorted()
    return { try sorted.next() }
  }
}

extension LinkedRelationship.Assignment {
  /// The union of the assignments of source objects that became one object; `nil` where each became
  /// its own.
  func union(of relationship: LinkedRelationship) -> Link.Union? {
    mapping.mapping.uniqueness.map { rule in
      Link.Union(
        turn: Int64(mapping.index),
        keepsLast: rule.kept == .last && relationship.form.isToOne(end)
      )
    }
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

internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Turns an assignment of an entity mapping into links between objects: the query gives source objects, near objects
/// are those that the mapping made of these where the query begins, and far ones those that makers made at its end.
struct LinkPipeline {
  private static let linksBetweenReports = 16_384
  /// Links that are looked up together.
  private static let pageLinks = 1024
  /// The work of finding a key, for ``StoreSession/endIfStopped(after:)``.
  private static let lookupSteps = 64

  /// The data that a link needs on a mapping that may have made its far object.
  private struct Maker {
    let index: Int
    let firstSharing: Int64
    /// Whether an association table has the keys of its objects; those of others follow from the source objects' keys.
    let isRecorded: Bool
    let sourceNumber: Int64
    let keyOffset: Int64
  }

  private let run: Run
  private let scratch: SortScratch
  private let relationship: LinkedRelationship
  private let assignment: LinkedRelationship.Assignment
  private let makers: [Maker]
  private let near: Link.End

  init(
    _ assignment: LinkedRelationship.Assignment,
    to relationship: LinkedRelationship,
    in run: Run,
    _ scratch: SortScratch
  ) {
    (self.run, self.scratch) = (run, scratch)
    (self.relationship, self.assignment) = (relationship, assignment)
    near = Link.End(assignment.end)
    makers = assignment.makers.map { maker in
      Maker(
        index: maker.index,
        firstSharing: Int64(maker.firstSharing),
        isRecorded: maker.isRecorded,
        sourceNumber: maker.sourceNumber,
        keyOffset: maker.keyOffset
      )
    }
  }

  /// Passes on all links; where near objects are not made yet, their keys follow from those of their source objects.
  func each(areNearMade: Bool = true, _ body: (Link) throws -> Void) throws {
    guard let query = assignment.query else { return }
    func eachNear(_ body: (Link) throws -> Void) throws {
      let links = try source(query, readsEntities: makers.contains { !$0.isRecorded })
      func each(_ body: (Link) throws -> Void) throws {
        while let link = try links() { try body(link) }
      }
      guard areNearMade && assignment.mapping.isRecorded else { return try each(body) }
      try near(query.isInOrder ? links : sorted(by: near, each), body)
    }
    guard makers.contains(where: \.isRecorded) else {
      return try eachNear { link in
        for maker in makers { try follow(link, maker, body) }
      }
    }
    try far(sorted(by: near.other, eachNear), body)
  }

  private func sorted(
    by end: Link.End,
    _ body: (_ add: (Link) throws -> Void) throws -> Void
  ) throws -> Links {
    try scratch.sorted(by: .source(end), body)
  }

  /// The links of source objects: the far object's maker is the number of its entity, if that is read.
  private func source(_ query: LinkQuery, readsEntities: Bool) throws -> Links {
    let reader = try LinkReader(query, readsEntities: readsEntities, run.session)
    let mapping = assignment.mapping
    let (maker, offset) = (Int64(mapping.firstSharing), mapping.keyOffset)
    let (position, takesOne) = (Int64(assignment.position), assignment.takesOne)
    // Source objects that became one object assign at once.
    let union = mapping.mapping.uniqueness.map { rule in
      Link.Union(
        turn: Int64(mapping.index),
        keepsLast: rule.kept == .last && relationship.form.isToOne(assignment.end)
      )
    }
    var count = 0
    return { [run, near] in
      guard let row = try reader.next() else { return nil }
      count += 1
      if count.isMultiple(of: Self.linksBetweenReports) { try run.report() }
      var link = Link(
        assigning: near,
        of: LinkEnd(maker: maker, source: row.near, object: row.near &+ offset),
        to: LinkEnd(maker: row.farEntity ?? .min, source: row.far, object: row.far),
        rank: row.rank,
        inverseRank: row.inverseRank,
        position: position,
        union: union
      )
      link.takesOne = takesOne
      return link
    }
  }

  /// Links in the order of the source objects at an end, as many at a time as are looked up together.
  private func eachPage(
    _ links: Links,
    _ end: Link.End,
    _ body: (_ page: ContiguousArray<Link>, _ keys: [Int64]) throws -> Void
  ) throws {
    var page: ContiguousArray<Link> = []
    repeat {
      page.removeAll(keepingCapacity: true)
      while page.count < Self.pageLinks, let link = try links() { page.append(link) }
      guard !page.isEmpty else { return }
      try body(page, page.map { $0[end].source })
    } while page.count == Self.pageLinks
  }

  /// The links of all objects that the mapping made of the near source objects.
  private func near(_ links: Links, _ body: (Link) throws -> Void) throws {
    let mapping = assignment.mapping
    let kinds = run.work.destination.numbers(ofKindsOf: assignment.key.entity)
    try eachPage(links, near) { page, keys in
      let matches = try run.associations.matches(of: keys, in: mapping.index)
      let entities = try run.associations.entities(of: matches, from: keys, by: mapping)
      for (number, match) in matches.enumerated() {
        // The mapping's relationships are those of objects that have them.
        if let entities, !kinds.contains(entities[number]) { continue }
        var link = page[match.position]
        link[near].object = match.destinationKey
        try body(link)
      }
    }
  }

  /// The links to all objects that the makers made of the far source objects, where tables have the keys of some.
  private func far(_ links: Links, _ body: (Link) throws -> Void) throws {
    let schema = run.work.destination
    let target = schema.model.relationship(assignment.key)?.destinationEntityName ?? ""
    let kinds = schema.numbers(ofKindsOf: target)
    try eachPage(links, near.other) { page, keys in
      try run.session.endIfStopped(after: Self.lookupSteps * keys.count)
      let found = try makers.map {
        $0.isRecorded ? try run.associations.matches(of: keys, in: $0.index) : []
      }
      for (maker, matches) in zip(assignment.makers, found) where maker.hasPolicy {
        let entities = try run.associations.entities(of: matches, from: keys, by: maker) ?? []
        for (match, entity) in zip(matches, entities) where !kinds.contains(entity) {
          let object = "\(schema.entityName(ofNumber: entity)) \(match.destinationKey)"
          throw isOfOtherEntity(page[match.position], object, by: maker, target)
        }
      }
      var next = [Int](repeating: 0, count: makers.count)
      for (index, link) in page.enumerated() {
        var made: Int64 = 0
        for (number, maker) in makers.enumerated() {
          guard maker.isRecorded else {
            try follow(link, maker, body)
            continue
          }
          while next[number] < found[number].count, found[number][next[number]].position == index {
            var link = link
            link.number = made
            made += 1
            try pass(link, to: found[number][next[number]].destinationKey, by: maker, body)
            next[number] += 1
          }
        }
      }
    }
  }

  private func isOfOtherEntity(
    _ link: Link,
    _ object: String,
    by maker: InstanceMapping,
    _ target: String
  ) -> MigrationError {
    let (mapping, property) = (assignment.mapping, assignment.key.property)
    let file = try? run.migration.plan.steps[0].mapping.file()
    let location = file?.location(of: property, in: mapping.mapping.name)
    return .policy(
      (location.map { "\($0.path):\($0.line): " } ?? "")
        + "entity mapping \(mapping.mapping.name), relationship \(property), "
        + "\(mapping.source.name) \(link[near].source): \(object), which \(maker.mapping.name) made of "
        + "\(maker.source.name) \(link[near.other].source), is not an object of \(target)"
    )
  }

  /// The key of a far object that follows from that of its source object.
  private func follow(_ link: Link, _ maker: Maker, _ body: (Link) throws -> Void) throws {
    let far = link[near.other]
    guard far.maker == maker.sourceNumber else { return }
    try pass(link, to: far.source &+ maker.keyOffset, by: maker, body)
  }

  private func pass(
    _ link: Link,
    to object: Int64,
    by maker: Maker,
    _ body: (Link) throws -> Void
  ) throws {
    var link = link
    link[near.other].maker = maker.firstSharing
    link[near.other].object = object
    try body(link)
  }
}

extension Link.End {
  init(_ end: RelationshipEnd) { self = end == .first ? .first : .second }
}

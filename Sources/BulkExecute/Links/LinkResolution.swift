internal import BulkPlan
internal import BulkStore

/// Determines which links remain after the successive assignments to a relationship and its inverse.
struct LinkResolution {
  private let relationship: LinkedRelationship
  private let scratch: SortScratch
  private let moments: AssigningMoments

  init(_ relationship: LinkedRelationship, _ scratch: SortScratch) {
    self.relationship = relationship
    self.scratch = scratch
    moments = AssigningMoments(relationship)
  }

  /// The first link of each object's last assignment; links come object by object.
  func firstAssigned(_ links: SortedLinks) -> SortedLinks {
    var kept: Link?
    return SortedLinks {
      while let link = try links.next() {
        let last = kept
        if last?.moment != link.moment { kept = link }
        if let last, last.first.object != link.first.object { return last }
      }
      defer { kept = nil }
      return kept
    }
  }

  /// The owner of each member; links come member by member.
  ///
  /// The last that names the member has it, from either side; a to-many relationship removes no
  /// objects (formats/migration.md 8.10).
  func owners(_ links: SortedLinks) throws -> SortedLinks {
    let owners = lastOwners(links)
    guard relationship.isOrdered else { return owners }
    let result = LinkSorter(.collection(of: .first), in: scratch)
    while let link = try owners.next() { try result.add(link) }
    return try placed(result.sorted(), of: .first, .object(.second))
  }

  /// Member by member.
  private func lastOwners(_ links: SortedLinks) -> SortedLinks {
    var group = MemberGroup()
    return SortedLinks {
      while let link = try links.next() {
        var last: Link?
        if let member = group.member, member.object != link.second.object {
          last = group.end()
        }
        if group.member == nil {
          group.begin(link.second, moments.moment(of: link.second, at: .second))
        }
        group.assign(link)
        if let last { return placed(last, in: .first) }
      }
      return group.end().map { placed($0, in: .first) }
    }
  }

  /// The partners of all objects, sorted by the objects at the first end and by those at the second.
  ///
  /// Both objects of a link lose their former partners, so a link remains if it is the last of both.
  func partners(_ links: SortedLinks) throws -> (first: SortedLinks, second: SortedLinks) {
    let isSelfInverse = relationship.form.isSelfInverse
    let firsts = LinkSorter(.object(.first), in: scratch)
    let seconds = LinkSorter(.object(isSelfInverse ? .first : .second), in: scratch)
    var last: Link?
    while let link = try links.next() {
      // A to-one relationship keeps the first of several objects.
      if let last, last.moment == link.moment { continue }
      last = link
      try firsts.add(link)
      if !isSelfInverse {
        try seconds.add(link)
      } else if link.first.object != link.second.object {
        try firsts.add(link.inverted)
      }
    }
    let left = LinkSorter(.moment, in: scratch)
    try addLast(of: firsts.sorted(), .first, to: left)
    if !isSelfInverse { try addLast(of: seconds.sorted(), .second, to: left) }
    return try mutual(left.sorted())
  }

  /// Adds the last link of each object, unless the object's own assignment follows it and names none.
  private func addLast(
    of links: SortedLinks,
    _ end: Link.End,
    to result: LinkSorter
  ) throws {
    var kept: Link?
    func finish(_ link: Link) throws {
      let isOwn = link.assignedEnd == end
      if !isOwn, let own = moments.moment(of: link[end], at: end), link.moment < own { return }
      let isInverted = relationship.form.isSelfInverse && !isOwn
      try result.add(isInverted ? link.inverted : link)
    }
    while let link = try links.next() {
      if let last = kept, last[end].object != link[end].object { try finish(last) }
      kept = link
    }
    if let kept { try finish(kept) }
  }

  /// The links that occur twice, once from each object.
  private func mutual(
    _ links: SortedLinks
  ) throws -> (first: SortedLinks, second: SortedLinks) {
    let isSelfInverse = relationship.form.isSelfInverse
    let firsts = LinkSorter(.object(.first), in: scratch)
    let seconds = LinkSorter(.object(.second), in: scratch)
    var last: Link?
    while let link = try links.next() {
      let isSelf = isSelfInverse && link.first.object == link.second.object
      guard isSelf || last == link else {
        last = link
        continue
      }
      try firsts.add(link)
      if !isSelfInverse {
        try seconds.add(link)
      } else if !isSelf {
        try firsts.add(link.inverted)
      }
    }
    return (try firsts.sorted(), try seconds.sorted())
  }

  /// The pairs of a join table, in the order of its keys.
  struct Pairs {
    /// The pairs; their ranks are the positions of the second objects, if the relationship is ordered.
    let links: SortedLinks
    /// The same pairs with the positions of the first objects, if the inverse is ordered.
    let positions: SortedLinks?
  }

  /// The pairs that either side names; links come pair by pair.
  func pairs(_ links: SortedLinks) throws -> Pairs {
    let (isOrdered, isInverseOrdered) = (relationship.isOrdered, relationship.isInverseOrdered)
    let seconds = LinkSorter(isOrdered ? .collection(of: .first) : .pair, in: scratch)
    let firsts = LinkSorter(.collection(of: .second), in: scratch)
    var group = PairGroup()
    func finish() throws {
      guard let (one, other) = group.end() else { return }
      try seconds.add(placed(one, in: .first))
      if relationship.form.isSelfInverse {
        if one.first.object != one.second.object {
          try seconds.add(placed(other.inverted, in: .first))
        }
      } else if isInverseOrdered {
        try firsts.add(placed(other, in: .second))
      }
    }
    while let link = try links.next() {
      if !group.holds(link) { try finish() }
      group.add(link)
    }
    try finish()
    let sorted = try seconds.sorted()
    return Pairs(
      links: isOrdered ? try placed(sorted, of: .first, .pair) : sorted,
      positions: isInverseOrdered && !relationship.form.isSelfInverse
        ? try placed(firsts.sorted(), of: .second, .pair) : nil
    )
  }

  /// A link with the source's position in the collection at an end, provided that nothing is assigned there:
  /// otherwise members are added one by one at the end.
  private func placed(_ link: Link, in end: Link.End) -> Link {
    guard moments.moment(of: link[end], at: end) != nil else { return link }
    var link = link
    link.inverseRank = .max
    return link
  }

  /// Links with the positions of members as ranks, in another order; they come collection by collection.
  private func placed(
    _ links: SortedLinks,
    of end: Link.End,
    _ order: LinkOrder
  ) throws -> SortedLinks {
    let result = LinkSorter(order, in: scratch)
    var owner: Int64?
    var position = MemberOrdering.first
    while var link = try links.next() {
      position =
        owner == link[end].object ? MemberOrdering.position(after: position) : MemberOrdering.first
      owner = link[end].object
      link.rank = position
      try result.add(link)
    }
    return try result.sorted()
  }
}

/// When entity mappings assign a relationship or its inverse, looked up for every link.
struct AssigningMoments {
  private struct Assignment {
    let maker: Int64
    let position: Int64
    let isUnited: Bool
  }

  private let first: ContiguousArray<Assignment>
  private let second: ContiguousArray<Assignment>

  init(_ relationship: LinkedRelationship) {
    func assignments(at end: RelationshipEnd) -> ContiguousArray<Assignment> {
      let makers = Set(relationship.assignments.map { Int64($0.mapping.firstSharing) })
      return ContiguousArray(
        makers.sorted().compactMap { maker in
          relationship.assignment(sharedBy: maker, at: end).map {
            Assignment(
              maker: maker,
              position: Int64($0.position),
              isUnited: $0.mapping.isMerging
            )
          }
        }
      )
    }
    (first, second) = (assignments(at: .first), assignments(at: .second))
  }

  /// `nil` if the mapping of the object does not assign the relationship.
  func moment(of object: LinkEnd, at end: Link.End) -> Link.Moment? {
    let assignments = end == .first ? first : second
    guard let found = assignments.first(where: { $0.maker == object.maker }) else { return nil }
    return Link.Moment(object, found.position, end, isUnited: found.isUnited)
  }
}

internal import BulkPlan
internal import BulkStore

/// Determines which links remain after the successive assignments to a relationship and its inverse.
struct LinkResolution {
  private let relationship: LinkedRelationship
  private let scratch: SortScratch
  private let moments: AssigningMoments
  private var isSelfInverse: Bool { relationship.form.isSelfInverse }

  init(_ relationship: LinkedRelationship, _ scratch: SortScratch) {
    self.relationship = relationship
    self.scratch = scratch
    moments = AssigningMoments(relationship)
  }

  /// The first link of each object's last assignment; links come object by object.
  func firstAssigned(_ links: @escaping Links) -> Links {
    grouped(links, by: { $0.first.object == $1.first.object }, Link?.none) { kept, link in
      if kept?.moment != link.moment { kept = link }
    } end: {
      $0
    }
  }

  /// The owner of each member; links come member by member.
  ///
  /// The last that names the member has it, from either side; a to-many relationship removes no
  /// objects (formats/migration.md 8.10).
  func owners(_ links: @escaping Links) throws -> Links {
    let owners = grouped(
      links,
      by: { $0.second.object == $1.second.object },
      MemberGroup()
    ) { group, link in
      group.assign(link) { moments.moment(of: $0, at: .second) }
    } end: {
      $0.remaining.map { placed($0, in: .first) }
    }
    guard relationship.isOrdered else { return owners }
    let collections = try scratch.sorted(by: .collection(of: .first)) { add in
      while let link = try owners() { try add(link) }
    }
    return try placed(collections, of: .first, .object(.second))
  }

  /// The partners of all objects, sorted by the objects at each end; once if the relationship is its own inverse.
  ///
  /// Both objects of a link lose their former partners, so a link remains if it is the last of both.
  func partners(_ links: @escaping Links) throws -> [Links] {
    // A to-one relationship keeps the first of several objects.
    let assigned = grouped(links, by: { $0.moment == $1.moment }, Link?.none) {
      $0 = $0 ?? $1
    } end: {
      $0
    }
    let ends = try byEnds(assigned)
    let left = try scratch.sorted(by: .moment) { add in
      for (links, end) in zip(ends, [Link.End.first, .second]) {
        let last = grouped(links, by: { $0[end].object == $1[end].object }, Link?.none) {
          $0 = $1
        } end: {
          $0
        }
        while let link = try last() {
          // The object's own assignment may follow, and name none.
          let isOwn = link.assignedEnd == end
          if !isOwn, let own = moments.moment(of: link[end], at: end), link.moment < own {
            continue
          }
          try add(isSelfInverse && !isOwn ? link.inverted : link)
        }
      }
    }
    // The links that occur twice, once from each object.
    return try byEnds(
      grouped(left, by: ==, (link: Link?.none, count: 0)) { group, link in
        group = (link, group.count + 1)
      } end: { link, count in
        let isSelf = isSelfInverse && link?.first.object == link?.second.object
        return isSelf || count > 1 ? link : nil
      }
    )
  }

  /// Links sorted by the objects at each end; those of a relationship that is its own inverse by the first, in both
  /// directions.
  private func byEnds(_ links: Links) throws -> [Links] {
    let ends: [Link.End] = isSelfInverse ? [.first] : [.first, .second]
    let sorters = ends.map { ExternalSorter<Link>(.object($0), in: scratch) }
    while let link = try links() {
      for sorter in sorters { try sorter.add(link) }
      if isSelfInverse, link.first.object != link.second.object {
        try sorters[0].add(link.inverted)
      }
    }
    return try sorters.map { try $0.sorted() }
  }

  /// The pairs of a join table, in the order of its keys.
  struct Pairs {
    /// The pairs; their ranks are the positions of the second objects, if the relationship is ordered.
    let links: Links
    /// The same pairs with the positions of the first objects, if the inverse is ordered.
    let positions: Links?
  }

  /// The pairs that either side names; links come pair by pair.
  func pairs(_ links: @escaping Links) throws -> Pairs {
    let isOrdered = relationship.isOrdered
    let hasPositions = relationship.isInverseOrdered && !isSelfInverse
    let pairs = grouped(
      links,
      by: { $0.first.object == $1.first.object && $0.second.object == $1.second.object },
      PairGroup()
    ) {
      $0.add($1)
    } end: {
      $0.pair
    }
    let firsts = ExternalSorter<Link>(.collection(of: .second), in: scratch)
    let seconds = try scratch.sorted(by: isOrdered ? .collection(of: .first) : .pair) { add in
      while let (one, other) = try pairs() {
        try add(placed(one, in: .first))
        if isSelfInverse, one.first.object != one.second.object {
          try add(placed(other.inverted, in: .first))
        }
        if hasPositions { try firsts.add(placed(other, in: .second)) }
      }
    }
    return Pairs(
      links: isOrdered ? try placed(seconds, of: .first, .pair) : seconds,
      positions: hasPositions ? try placed(firsts.sorted(), of: .second, .pair) : nil
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
  private func placed(_ links: Links, of end: Link.End, _ order: LinkOrder) throws -> Links {
    try scratch.sorted(by: order) { add in
      var last: (owner: Int64, position: Int64)?
      while var link = try links() {
        let owner = link[end].object
        link.rank =
          last?.owner == owner
          ? MemberOrdering.position(after: last?.position ?? 0) : MemberOrdering.first
        last = (owner, link.rank)
        try add(link)
      }
    }
  }
}

/// When entity mappings assign a relationship or its inverse, looked up for every link.
struct AssigningMoments {
  private typealias Assignment = (maker: Int64, position: Int64, isUnited: Bool)

  private let first: ContiguousArray<Assignment>
  private let second: ContiguousArray<Assignment>

  init(_ relationship: LinkedRelationship) {
    let makers = Set(relationship.assignments.map { Int64($0.mapping.firstSharing) }).sorted()
    func assignments(at end: RelationshipEnd) -> ContiguousArray<Assignment> {
      ContiguousArray(
        makers.compactMap { maker in
          relationship.assignment(sharedBy: maker, at: end).map {
            (maker, Int64($0.position), $0.mapping.isMerging)
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

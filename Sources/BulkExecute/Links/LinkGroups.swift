/// One link after the other, then `nil`.
typealias Links = () throws -> Link?

/// What remains of each group of successive links that belong together: `add` gets the links of a group one after the
/// other, and `end` what it made of them.
func grouped<State, Rest>(
  _ links: @escaping Links,
  by belongTogether: @escaping (Link, Link) -> Bool,
  _ initial: State,
  add: @escaping (inout State, Link) -> Void,
  end: @escaping (State) -> Rest?
) -> () throws -> Rest? {
  var next: Link?
  var isBegun = false
  return {
    if !isBegun { next = try links() }
    isBegun = true
    while let first = next {
      var state = initial
      while let link = next, belongTogether(first, link) {
        add(&state, link)
        next = try links()
      }
      if let rest = end(state) { return rest }
    }
    return nil
  }
}

extension SortScratch {
  /// The links that a body adds, in an order.
  func sorted(
    by order: LinkOrder,
    _ body: (_ add: (Link) throws -> Void) throws -> Void
  ) throws -> Links {
    let sorter = ExternalSorter<Link>(order, in: self)
    try body { try sorter.add($0) }
    return try sorter.sorted()
  }
}

/// The successive assignments that concern one member of a one-to-many relationship.
struct MemberGroup {
  /// When the member's own mapping assigns an owner, unless it has done so.
  private var own: Link.Moment?
  private var left: Link?
  private var last: Link.Moment?

  /// Assignments come in order, each with the object it names first; `own` is the moment of the member's own
  /// assignment.
  mutating func assign(_ link: Link, _ own: (LinkEnd) -> Link.Moment?) {
    if last == nil { self.own = own(link.second) }
    guard link.moment != last else { return }
    last = link.moment
    switch link.assignedEnd {
    case .first:
      // The member's own assignment, which names no owner, came before.
      if let moment = self.own, moment < link.moment { self.own = nil }
      left = link
    case .second:
      self.own = nil
      // An owner that the member already has keeps the member's position.
      if left?.first.object != link.first.object { left = link }
    }
  }

  /// `nil` if the member's own assignment, which names no owner, is the last.
  var remaining: Link? { own == nil ? left : nil }
}

/// The assignments that name one pair of a many-to-many relationship.
struct PairGroup {
  private var links: [Link] = []

  /// If one assignment names the pair several times, the first counts.
  mutating func add(_ link: Link) {
    guard !links.contains(where: { $0.assignedEnd == link.assignedEnd }) else { return }
    links.append(link)
  }

  /// The pair with its position in the collection of the first object, and in that of the second.
  var pair: (Link, Link)? {
    links.first.map { any in
      (
        links.first { $0.assignedEnd == .first } ?? any,
        links.first { $0.assignedEnd == .second } ?? any
      )
    }
  }
}

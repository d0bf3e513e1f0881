/// The successive assignments that concern one member of a one-to-many relationship.
struct MemberGroup {
  /// `nil` before the first assignment.
  private(set) var member: LinkEnd?
  /// When the member's own mapping assigns an owner, unless it has done so.
  private var own: Link.Moment?
  private var left: Link?
  private var last: Link.Moment?

  /// Begins with the moment of the member's own assignment.
  mutating func begin(_ member: LinkEnd, _ own: Link.Moment?) {
    self.member = member
    self.own = own
  }

  /// Assignments come in order, each with the object it names first.
  mutating func assign(_ link: Link) {
    guard link.moment != last else { return }
    last = link.moment
    switch link.assignedEnd {
    case .first:
      applyOwn(before: link.moment)
      left = link
    case .second:
      own = nil
      // An owner that the member already has keeps the member's position.
      if left?.first.object != link.first.object { left = link }
    }
  }

  mutating func end() -> Link? {
    defer { self = MemberGroup() }
    return own == nil ? left : nil
  }

  /// Applies the member's own assignment, which names no owner.
  private mutating func applyOwn(before moment: Link.Moment) {
    guard let own, own < moment else { return }
    left = nil
    self.own = nil
  }
}

/// The assignments that name one pair of a many-to-many relationship.
struct PairGroup {
  private var links: [Link] = []

  func holds(_ link: Link) -> Bool {
    guard let pair = links.first else { return true }
    return pair.first.object == link.first.object && pair.second.object == link.second.object
  }

  /// If one assignment names the pair several times, the first counts.
  mutating func add(_ link: Link) {
    guard !links.contains(where: { $0.assignedEnd == link.assignedEnd }) else { return }
    links.append(link)
  }

  /// Ends the group, and returns the pair with its position in the collection of the first object, and in that of the
  /// second.
  mutating func end() -> (Link, Link)? {
    defer { links = [] }
    return links.first.map { any in
      (
        links.first { $0.assignedEnd == .first } ?? any,
        links.first { $0.assignedEnd == .second } ?? any
      )
    }
  }
}

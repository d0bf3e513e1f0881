/// An object at one end of a link, with the entity mapping and the source object it was made from.
package struct LinkEnd: Hashable, Sendable {
  /// An index in the mapping model.
  package var maker: Int64
  package var source: Int64
  package var object: Int64

  package init(maker: Int64, source: Int64, object: Int64) {
    self.maker = maker
    self.source = source
    self.object = object
  }

  func wasMade(before other: LinkEnd) -> Bool {
    (maker, source, object) < (other.maker, other.source, other.object)
  }
}

/// Two objects that an assignment to a relationship, or to its inverse, connects.
package struct Link: Hashable, Sendable {
  package enum End: Int64, Sendable {
    case first = 0
    case second = 1
    package var other: End { self == .first ? .second : .first }
  }

  /// The object that has the relationship.
  package var first: LinkEnd
  /// The object that has its inverse.
  package var second: LinkEnd
  /// The position of the other object in the assigned collection, ascending; equal ranks are ordered by the
  /// source objects' keys, then by the entity mappings, then by the order in which these made the objects.
  package var rank: Int64
  /// The position of the assigning object among those of the other, in the source's order; the greatest
  /// number if the source has no order.
  package var inverseRank: Int64
  /// The number of the object that is not assigned to among those made from its source object.
  package var number: Int64 = 0
  /// The end whose object is assigned to, whether the assignment is united and may name one object only, and the
  /// position of the assignment in its entity mapping.
  private(set) var assignment: Int64

  /// The union of the assignments of several source objects that became one object.
  package struct Union: Sendable {
    /// Among the entity mappings whose objects are the same.
    let turn: Int64
    /// Whether the last of several objects counts for a to-one relationship, not the first.
    let keepsLast: Bool

    /// The turn is below 2^31; the last of several objects may count for a to-one relationship.
    package init(turn: Int64, keepsLast: Bool) {
      self.turn = turn
      self.keepsLast = keepsLast
    }
  }

  /// The position is the index of the relationship among those of the entity mapping, below 2^28.
  ///
  /// `near` is the object at the end that is assigned to; `union` is `nil` if the assignment is single.
  package init(
    assigning end: End,
    of near: LinkEnd,
    to far: LinkEnd,
    rank: Int64 = 0,
    inverseRank: Int64 = .max,
    position: Int64 = 0,
    union: Union? = nil
  ) {
    (first, second) = end == .first ? (near, far) : (far, near)
    self.rank = rank
    self.inverseRank = inverseRank
    let flags = union.map { $0.keepsLast ? 6 as Int64 : 2 } ?? 0
    assignment = (union?.turn ?? 0) << 32 | position << 4 | flags | end.rawValue
  }

  var assignedEnd: End { assignment & 1 == 0 ? .first : .second }

  package subscript(end: End) -> LinkEnd {
    get { end == .first ? first : second }
    set { if end == .first { first = newValue } else { second = newValue } }
  }

  package var moment: Moment {
    Moment(self[assignedEnd], position, assignedEnd, isUnited: isUnited)
  }

  /// Whether the assignment is one with those of the other source objects of its object.
  var isUnited: Bool { assignment & 2 != 0 }
  var keepsLast: Bool { assignment & 4 != 0 }

  /// Among the mappings with united assignments.
  package var turn: Int64 { assignment >> 32 }

  private var position: Int64 { assignment >> 4 & 0x0FFF_FFFF }

  package var takesOne: Bool {
    get { assignment & 8 != 0 }
    set { assignment = newValue ? assignment | 8 : assignment & ~8 }
  }

  func isAssigned(with other: Link) -> Bool {
    moment == other.moment && turn == other.turn
      && self[assignedEnd].source == other[assignedEnd].source
  }

  package var inverted: Link {
    var result = self
    (result.first, result.second) = (second, first)
    result.assignment ^= 1
    return result
  }

  /// When a relationship of an object is assigned: objects in the order in which they were made, and the
  /// relationships of one object in the order of its entity mapping.
  package struct Moment: Hashable, Comparable, Sendable {
    private var object: LinkEnd
    private let position: Int64
    private let end: Int64

    /// The position is the index of the relationship; if `isUnited` all source objects of the object assign at
    /// once.
    package init(_ object: LinkEnd, _ position: Int64, _ end: End, isUnited: Bool) {
      self.object = object
      if isUnited { self.object.source = 0 }
      self.position = position
      self.end = end.rawValue
    }

    package static func < (first: Moment, second: Moment) -> Bool {
      if first.object != second.object { return first.object.wasMade(before: second.object) }
      return (first.position, first.end) < (second.position, second.end)
    }
  }
}

/// An object at one end of a link, with the entity mapping and the source object it was made from.
package struct LinkEnd: Hashable, Sendable {
  /// The index of the entity mapping that made the object in its mapping model.
  package var maker: Int64
  /// The key of the source object.
  package var source: Int64
  /// The key of the object.
  package var object: Int64

  package init(maker: Int64, source: Int64, object: Int64) {
    self.maker = maker
    self.source = source
    self.object = object
  }

  /// Whether an object was made before another.
  package func wasMade(before other: LinkEnd) -> Bool {
    (maker, source, object) < (other.maker, other.source, other.object)
  }

  /// Whether an object precedes another in a collection that gives both the same rank: ordered by source
  /// object, then by entity mapping.
  func stands(before other: LinkEnd) -> Bool {
    (source, maker, object) < (other.source, other.maker, other.object)
  }
}

/// Two objects that an assignment to a relationship, or to its inverse, connects.
package struct Link: Hashable, Sendable {
  /// One of the two ends.
  package enum End: Int64, Sendable {
    case first = 0
    case second = 1

    /// The opposite end.
    package var other: End { self == .first ? .second : .first }
  }

  /// The object that has the relationship.
  package var first: LinkEnd
  /// The object that has its inverse.
  package var second: LinkEnd
  /// The position of the other object in the assigned collection, ascending; equal ranks are ordered by the
  /// source objects' keys.
  package var rank: Int64
  /// The position of the assigning object among those of the other, in the source's order; the greatest
  /// number if the source has no order.
  package var place: Int64
  /// The end whose object is assigned to, and the position of the assignment in its entity mapping.
  private(set) var assignment: Int64

  /// A link.
  ///
  /// - Parameters:
  ///   - end: The end whose object is assigned to.
  ///   - near: The object at that end.
  ///   - far: The object at the other end.
  ///   - rank: The position of the other object in the collection.
  ///   - place: The position of the assigning object among those of the other.
  ///   - position: The index of the relationship among those of the entity mapping.
  package init(
    assigning end: End,
    of near: LinkEnd,
    to far: LinkEnd,
    rank: Int64 = 0,
    place: Int64 = .max,
    position: Int64 = 0
  ) {
    (first, second) = end == .first ? (near, far) : (far, near)
    self.rank = rank
    self.place = place
    assignment = position << 1 | end.rawValue
  }

  /// The end whose object is assigned to.
  package var assignedEnd: End { assignment & 1 == 0 ? .first : .second }

  /// The object at an end.
  package subscript(end: End) -> LinkEnd {
    get { end == .first ? first : second }
    set { if end == .first { first = newValue } else { second = newValue } }
  }

  /// When the assignment is made.
  package var moment: Moment { Moment(self[assignedEnd], assignment >> 1, assignedEnd) }

  /// The link seen from its other end.
  package var inverted: Link {
    Link(
      assigning: assignedEnd.other,
      of: self[assignedEnd],
      to: self[assignedEnd.other],
      rank: rank,
      place: place,
      position: assignment >> 1
    )
  }

  /// When a relationship of an object is assigned: objects in the order in which they were made, and the
  /// relationships of one object in the order of its entity mapping.
  package struct Moment: Hashable, Comparable, Sendable {
    private let object: LinkEnd
    private let position: Int64
    private let end: Int64

    /// The time of an assignment of an object's entity mapping.
    package init(_ object: LinkEnd, _ position: Int64, _ end: End) {
      self.object = object
      self.position = position
      self.end = end.rawValue
    }

    package static func < (first: Moment, second: Moment) -> Bool {
      if first.object != second.object { return first.object.wasMade(before: second.object) }
      return (first.position, first.end) < (second.position, second.end)
    }
  }
}

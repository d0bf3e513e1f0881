/// An order of links; ties are broken by their remaining numbers, so that the order never depends on how
/// many links are sorted at once.
package enum LinkOrder: Sendable {
  /// By the source key at an end.
  case source(Link.End)
  /// By the object at an end, then in assignment order.
  case object(Link.End)
  /// By the objects at both ends, then in assignment order.
  case pair
  /// In assignment order.
  case moment
  /// By the object at an end, then in the order of its collection.
  case collection(of: Link.End)

  /// Whether a link precedes another.
  func precedes(_ one: Link, _ two: Link) -> Bool {
    switch self {
    case .source(let end):
      if one[end].source != two[end].source { return one[end].source < two[end].source }
    case .object(let end):
      if one[end].object != two[end].object { return one[end].object < two[end].object }
    case .pair:
      if one.first.object != two.first.object { return one.first.object < two.first.object }
      if one.second.object != two.second.object { return one.second.object < two.second.object }
    case .moment: break
    case .collection(let end):
      if one[end].object != two[end].object { return one[end].object < two[end].object }
      if let answer = Self.precedes(one, before: two, in: end) { return answer }
    }
    return Self.isAssigned(one, before: two)
  }

  /// Whether a link precedes another in the collection of the object at an end: links assigned to that object
  /// come first, then those from assignments to the members.
  private static func precedes(_ one: Link, before two: Link, in end: Link.End) -> Bool? {
    let (isOwn, isOtherOwn) = (one.assignedEnd == end, two.assignedEnd == end)
    if isOwn != isOtherOwn { return isOwn }
    if isOwn { return farPrecedes(one, two) }
    return one.place == two.place ? nil : one.place < two.place
  }

  /// Whether the far object of a link precedes that of another in the collection of one object; `nil` if they
  /// are the same.
  private static func farPrecedes(_ one: Link, _ two: Link) -> Bool? {
    if let answer = assigningPrecedes(one, before: two) { return answer }
    if one.rank != two.rank { return one.rank < two.rank }
    return farPrecedesOfEqualRank(one, before: two)
  }

  /// Whether the assigning source object of a link precedes that of another, where both became one object.
  private static func assigningPrecedes(_ one: Link, before two: Link) -> Bool? {
    guard one.isUnited, two.isUnited else { return nil }
    if one.turn != two.turn { return one.turn < two.turn }
    let (near, other) = (one[one.assignedEnd].source, two[two.assignedEnd].source)
    return near == other ? nil : near < other
  }

  /// Whether the far object of a link precedes that of another with the same rank.
  private static func farPrecedesOfEqualRank(_ one: Link, before two: Link) -> Bool? {
    let (end, other) = (one[one.assignedEnd.other], two[two.assignedEnd.other])
    if end.source != other.source { return end.source < other.source }
    if end.maker != other.maker { return end.maker < other.maker }
    if one.number != two.number { return one.number < two.number }
    return end.object == other.object ? nil : end.object < other.object
  }

  private static func isAssigned(_ one: Link, before two: Link) -> Bool {
    let (moment, other) = (one.moment, two.moment)
    if moment != other { return moment < other }
    if let answer = assigningPrecedes(one, before: two) { return answer != one.keepsLast }
    if one.rank != two.rank { return one.rank < two.rank }
    return farPrecedesOfEqualRank(one, before: two) ?? (one.place < two.place)
  }
}

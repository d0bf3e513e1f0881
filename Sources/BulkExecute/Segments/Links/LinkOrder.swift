/// An order of links; ties are broken by their remaining numbers, so that the order never depends on how
/// many links are sorted at once.
package enum LinkOrder: Sendable {
  /// By the source key at an end.
  case source(Link.End)
  /// By the object at an end, then in assignment order.
  case object(Link.End)
  /// By the objects at both ends, then in assignment order.
  case pair
  case moment
  /// By the object at an end, then in the order of its collection.
  case collection(of: Link.End)

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

  /// Links assigned to the object at the end come first, then those from assignments to the members.
  private static func precedes(_ one: Link, before two: Link, in end: Link.End) -> Bool? {
    let (isOwn, isOtherOwn) = (one.assignedEnd == end, two.assignedEnd == end)
    if isOwn != isOtherOwn { return isOwn }
    if isOwn { return farPrecedes(one, two) }
    return one.inverseRank == two.inverseRank ? nil : one.inverseRank < two.inverseRank
  }

  /// In the collection of one object; `nil` if the far objects are the same.
  private static func farPrecedes(_ one: Link, _ two: Link) -> Bool? {
    if let answer = assigningPrecedes(one, before: two) { return answer }
    if one.rank != two.rank { return one.rank < two.rank }
    return farPrecedesOfEqualRank(one, before: two)
  }

  /// Where both source objects became one object.
  private static func assigningPrecedes(_ one: Link, before two: Link) -> Bool? {
    guard one.isUnited, two.isUnited else { return nil }
    if one.turn != two.turn { return one.turn < two.turn }
    let (near, other) = (one[one.assignedEnd].source, two[two.assignedEnd].source)
    return near == other ? nil : near < other
  }

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
    return farPrecedesOfEqualRank(one, before: two) ?? (one.inverseRank < two.inverseRank)
  }
}

/// The numbers by which links are ordered first, each as its distance from the least, and the index of the
/// link are packed into one word, and the words sorted digit by digit. Only links that agree in these numbers
/// are compared. Numbers that are too far apart for a word are compared as well.
extension Link {
  package static let sortingMemory = 2 * MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride

  package static func arranged(
    _ links: ContiguousArray<Link>,
    by order: LinkOrder
  ) -> ContiguousArray<UInt32> {
    let isInOrder = links.indices.dropFirst().allSatisfy {
      !order.precedes(links[$0], links[$0 - 1])
    }
    guard !isInOrder else { return ContiguousArray(0..<UInt32(links.count)) }
    if let packed = packed(links, order) { return packed }
    var indexes = ContiguousArray(0..<UInt32(links.count))
    indexes.sort { order.precedes(links[Int($0)], links[Int($1)]) }
    return indexes
  }

  /// `nil` if the numbers take too many bits.
  private static func packed(
    _ links: ContiguousArray<Link>,
    _ order: LinkOrder
  ) -> ContiguousArray<UInt32>? {
    let (first, second) = (order.first(of: links[0]), order.second(of: links[0]))
    var (firsts, seconds) = (first...first, second...second)
    for link in links {
      let (first, second) = (order.first(of: link), order.second(of: link))
      firsts = min(firsts.lowerBound, first)...max(firsts.upperBound, first)
      seconds = min(seconds.lowerBound, second)...max(seconds.upperBound, second)
    }
    let indexBits = width(of: 0...Int64(links.count - 1))
    let secondBits = width(of: seconds)
    let bits = indexBits + secondBits + width(of: firsts)
    guard bits <= 64 else { return nil }
    var words = ContiguousArray<UInt64>()
    words.reserveCapacity(links.count)
    for (index, link) in links.enumerated() {
      let distance = UInt64(bitPattern: order.first(of: link) &- firsts.lowerBound)
      let other = UInt64(bitPattern: order.second(of: link) &- seconds.lowerBound)
      words.append((distance << UInt64(secondBits) | other) << UInt64(indexBits) | UInt64(index))
    }
    WordOrder.sort(&words, by: indexBits..<bits)
    return WordOrder.indexes(in: words, bits: indexBits) { order.precedes(links[$0], links[$1]) }
  }

  private static func width(of numbers: ClosedRange<Int64>) -> Int {
    64 - UInt64(bitPattern: numbers.upperBound &- numbers.lowerBound).leadingZeroBitCount
  }
}

extension LinkOrder {
  fileprivate func first(of link: Link) -> Int64 {
    switch self {
    case .source(let end): link[end].source
    case .object(let end), .collection(let end): link[end].object
    case .pair: link.first.object
    case .moment: link[link.assignedEnd].maker
    }
  }

  /// 0 where other rules follow.
  fileprivate func second(of link: Link) -> Int64 {
    switch self {
    case .source, .object: 0
    case .collection(let end): link.assignedEnd == end ? 0 : 1
    case .pair: link.second.object
    case .moment: link.isUnited ? 0 : link[link.assignedEnd].source
    }
  }
}

/// The numbers by which links are ordered first, each as its distance from the least, and the index of the
/// link are packed into one word, and the words sorted digit by digit. Only links that agree in these numbers
/// are compared. Numbers that are too far apart for a word are compared as well.
extension Link {
  static let sortingMemory = 2 * MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride

  static func arranged(
    _ links: ContiguousArray<Link>,
    by order: LinkOrder
  ) -> ContiguousArray<UInt32> {
    let isInOrder = links.indices.dropFirst().allSatisfy {
      !order.precedes(links[$0], links[$0 - 1])
    }
    guard !isInOrder else { return ContiguousArray(0..<UInt32(links.count)) }
    return packed(links, order) ?? compared(links, order)
  }

  private static func compared(
    _ links: ContiguousArray<Link>,
    _ order: LinkOrder
  ) -> ContiguousArray<UInt32> {
    var indexes = ContiguousArray(0..<UInt32(links.count))
    indexes.sort { order.precedes(links[Int($0)], links[Int($1)]) }
    return indexes
  }

  /// The indexes by packed words; `nil` if the numbers take too many bits.
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

  /// The bits that the distances of numbers from the least take.
  private static func width(of numbers: ClosedRange<Int64>) -> Int {
    64 - UInt64(bitPattern: numbers.upperBound &- numbers.lowerBound).leadingZeroBitCount
  }
}

extension LinkOrder {
  /// The number by which links are ordered first.
  fileprivate func first(of link: Link) -> Int64 {
    switch self {
    case .source(let end): link[end].source
    case .object(let end), .collection(let end): link[end].object
    case .pair: link.first.object
    case .moment: link[link.assignedEnd].maker
    }
  }

  /// The number by which links are ordered that agree in the first; 0 where other rules follow.
  fileprivate func second(of link: Link) -> Int64 {
    switch self {
    case .source, .object: 0
    case .collection(let end): link.assignedEnd == end ? 0 : 1
    case .pair: link.second.object
    case .moment: link.isUnited ? 0 : link[link.assignedEnd].source
    }
  }
}

/// Sorts entries of several words by packing what differs between them into one word each.
struct PackedSort {
  private let words: UnsafeMutablePointer<UInt64>
  private let count: Int
  private let width: Int

  /// The bits of a key that are sorted at once.
  private static let digitBits = 11

  /// - Parameters:
  ///   - words: The entries, one after another; the last word ascends from entry to entry.
  ///   - count: The number of entries, less than 2^32.
  ///   - width: The words of an entry.
  init(_ words: UnsafeMutablePointer<UInt64>, count: Int, width: Int) {
    self.words = words
    self.count = count
    self.width = width
  }

  /// The places of the entries in their order; the caller frees the memory.
  func order() -> UnsafeMutablePointer<UInt32> {
    let order = UnsafeMutablePointer<UInt32>.allocate(capacity: max(count, 1))
    for index in 0..<count { order[index] = UInt32(truncatingIfNeeded: index) }
    // The last word ascends already, and sorting by digits keeps the order of equal ones.
    var column = width - 2
    while column >= 0 {
      sort(order, by: column)
      column -= 1
    }
    return order
  }

  /// Sorts places by a word of their entries, and keeps the order of equal ones.
  private func sort(_ order: UnsafeMutablePointer<UInt32>, by column: Int) {
    guard count > 1 else { return }
    // NULL has a word far from all others, so it is counted for itself.
    var (low, high) = (UInt64.max, UInt64.min)
    for index in 0..<count {
      let word = words[index * width + column]
      if word == 0 || word == .max { continue }
      low = min(low, word)
      high = max(high, word)
    }
    guard low <= high else {
      low = 1
      high = 1
      return sortByDigits(order, column, low: low, bits: 2, high: high)
    }
    let span = high - low
    let bits = span >= UInt64.max - 2 ? 64 : 64 - (span + 2).leadingZeroBitCount
    sortByDigits(order, column, low: low, bits: bits, high: high)
  }

  private func sortByDigits(
    _ order: UnsafeMutablePointer<UInt32>,
    _ column: Int,
    low: UInt64,
    bits: Int,
    high: UInt64
  ) {
    let (count, width, words) = (count, width, words)
    let keys = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    let spareKeys = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    let spareOrder = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    let places = UnsafeMutablePointer<Int>.allocate(capacity: 1 << Self.digitBits)
    defer {
      keys.deallocate()
      spareKeys.deallocate()
      spareOrder.deallocate()
      places.deallocate()
    }
    for index in 0..<count {
      let word = words[Int(order[index]) * width + column]
      keys[index] = word == 0 ? 0 : word == .max ? (high - low) &+ 2 : (word - low) &+ 1
    }
    var (from, to) = (keys, spareKeys)
    var (fromOrder, toOrder) = (order, spareOrder)
    let mask = UInt64(1) << UInt64(Self.digitBits) - 1
    for shift in stride(from: 0, to: bits, by: Self.digitBits) {
      places.initialize(repeating: 0, count: 1 << Self.digitBits)
      for index in 0..<count { places[Int(from[index] >> UInt64(shift) & mask)] += 1 }
      var sum = 0
      for digit in 0..<(1 << Self.digitBits) {
        let size = places[digit]
        places[digit] = sum
        sum += size
      }
      for index in 0..<count {
        let digit = Int(from[index] >> UInt64(shift) & mask)
        let place = places[digit]
        places[digit] = place + 1
        to[place] = from[index]
        toOrder[place] = fromOrder[index]
      }
      swap(&from, &to)
      swap(&fromOrder, &toOrder)
    }
    if fromOrder != order { order.update(from: fromOrder, count: count) }
  }
}

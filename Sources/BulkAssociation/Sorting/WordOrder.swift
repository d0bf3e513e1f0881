/// Sorts words digit by digit.
enum WordOrder {
  private static let digitBits = 11

  /// Sorts words by some of their bits; words that agree in these keep their order.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - bits: The bits.
  static func sort(_ words: inout ContiguousArray<UInt64>, by bits: Range<Int>) {
    var target = words
    for low in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
      let mask = ~(UInt64.max << UInt64(min(digitBits, bits.upperBound - low)))
      var places = [Int](repeating: 0, count: 1 << digitBits)
      for word in words { places[Int(word >> UInt64(low) & mask)] += 1 }
      var sum = 0
      for digit in places.indices {
        sum += places[digit]
        places[digit] = sum - places[digit]
      }
      for word in words {
        let digit = Int(word >> UInt64(low) & mask)
        target[places[digit]] = word
        places[digit] += 1
      }
      swap(&words, &target)
    }
  }

  /// The indexes in the low bits of sorted words; entries that agree in the rest of the word are compared.
  ///
  /// - Parameters:
  ///   - words: The words, at least one.
  ///   - bits: The number of bits that an index takes.
  ///   - precedes: Whether the entry with an index precedes the one with another.
  /// - Returns: The indexes in the order of the entries.
  @inline(__always)
  static func indexes(
    in words: ContiguousArray<UInt64>,
    bits: Int,
    _ precedes: (Int, Int) -> Bool
  ) -> ContiguousArray<UInt32> {
    let mask = ~(UInt64.max << UInt64(bits))
    var indexes = ContiguousArray(words.lazy.map { UInt32($0 & mask) })
    var start = 0
    for place in 1...words.count
    where place == words.count || (words[place] ^ words[start]) & ~mask != 0 {
      if place - start > 1 {
        indexes[start..<place].sort { precedes(Int($0), Int($1)) }
      }
      start = place
    }
    return indexes
  }
}

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
}

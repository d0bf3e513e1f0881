/// Four numbers, ordered by the first, then by the second, and so on.
package struct NumberTuple: Hashable, Sendable {
  package var first: UInt64
  package var second: UInt64
  package var third: UInt64
  package var fourth: UInt64

  package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// Whether a tuple precedes another.
  func precedes(_ other: NumberTuple) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    if third != other.third { return third < other.third }
    return fourth < other.fourth
  }
}

internal import Foundation

/// How objects are drawn when relationships are filled.
public enum Skew: String, Hashable, Sendable, CaseIterable {
  /// Every object as often as any other.
  case uniform
  /// A few objects very often: the object of rank k once for k times of the first.
  case zipf
}

extension Skew {
  /// A rank from 0 up to, but not including, a count, which must be positive.
  func draw(below count: Int64, _ random: inout RepeatableRandom) -> Int64 {
    switch self {
    case .uniform: return random.below(count)
    case .zipf:
      // The logarithm of a rank that follows Zipf's law with exponent 1 is spread evenly.
      let rank = Int64(exp(random.unit() * log(Double(count) + 1))) - 1
      return min(max(rank, 0), count - 1)
    }
  }
}

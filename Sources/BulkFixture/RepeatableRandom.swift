/// A random number generator that gives the same numbers for the same seed on every machine.
///
/// It is SplitMix64 (Steele, Lea and Flood, “Fast Splittable Pseudorandom Number Generators”, 2014).
struct RepeatableRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator for one of many items, independent of what was drawn before.
  init(seed: UInt64, stream: UInt64, index: Int64) {
    state = Self.mix(seed &+ Self.mix(stream &+ Self.mix(UInt64(bitPattern: index))))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// A number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number from 0 up to, but not including, a bound; the bound must be positive.
  mutating func below(_ bound: Int64) -> Int64 {
    Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Pseudorandom numbers that depend only on their purpose, based on SplitMix64.
package enum RandomMix {
  package static func mixed(_ state: UInt64, with value: UInt64) -> UInt64 {
    var result = (state ^ value &* 0x9E37_79B9_7F4A_7C15) &+ 0x9E37_79B9_7F4A_7C15
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }
}

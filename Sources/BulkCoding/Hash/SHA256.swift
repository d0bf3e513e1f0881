package typealias SHA256 = SecureHash<SHA256Function>

package enum SHA256Function: BlockFunction {
  /// The first 32 bits of those numbers whose first 64 bits SHA-512 begins with (FIPS 180-4, section 5.3.3).
  package static let initialState = SHA512Function.initialState.map { UInt32($0 >> 32) }

  /// The first 32 bits of the first 64 constants of SHA-512 (FIPS 180-4, section 4.2.2).
  package static let constants = SHA512Function.constants.prefix(64).map { UInt32($0 >> 32) }

  package static func compress(
    _ block: UnsafeRawBufferPointer,
    schedule words: UnsafeMutableBufferPointer<UInt32>,
    state: inout [UInt32]
  ) {
    for index in 0..<16 {
      unsafe words[index] = unsafe UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      )
    }
    for index in 16..<64 {
      let (early, late) = unsafe (words[index - 15], words[index - 2])
      let small0 = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
      let small1 = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
      unsafe words[index] = unsafe words[index - 16] &+ small0 &+ words[index - 7] &+ small1
    }
    unsafe rounds(words, state: &state)
  }

  private static func rounds(_ words: UnsafeMutableBufferPointer<UInt32>, state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    unsafe constants.withUnsafeBufferPointer { constants in
      for index in 0..<64 {
        let big1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
        let choice = (e & f) ^ (~e & g)
        let first = unsafe h &+ big1 &+ choice &+ constants[index] &+ words[index]
        let big0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
      }
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { (self >> count) | (self << (32 &- count)) }
}

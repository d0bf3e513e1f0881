/// A hash function of FIPS 180-4, computed incrementally over blocks of sixteen words.
package struct SecureHash<Function: BlockFunction>: Sendable {
  package static var digestLength: Int { 8 * wordLength }

  private static var wordLength: Int { Function.Word.bitWidth / 8 }
  private static var blockLength: Int { 16 * wordLength }
  private var state = Function.initialState
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private var schedule = [Function.Word](repeating: 0, count: Function.constants.count)

  package init() {}

  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SecureHash()
    hash.update(bytes)
    return hash.finalize()
  }

  package mutating func update(_ text: String) { update(Array(text.utf8)) }

  package mutating func update(_ bytes: [UInt8]) {
    length &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let part = rest.prefix(Self.blockLength - pending.count)
      pending += part
      rest = rest.dropFirst(part.count)
      guard pending.count == Self.blockLength else { return }
      // The blocks are read in place, within the count of the buffer; so is the schedule.
      unsafe pending.withUnsafeBytes { unsafe compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    unsafe rest.withUnsafeBytes { buffer in
      var offset = 0
      while buffer.count - offset >= Self.blockLength {
        unsafe compress(
          UnsafeRawBufferPointer(rebasing: buffer[offset..<(offset + Self.blockLength)])
        )
        offset += Self.blockLength
      }
      unsafe pending += buffer[offset...]
    }
  }

  private mutating func compress(_ block: UnsafeRawBufferPointer) {
    unsafe schedule.withUnsafeMutableBufferPointer {
      unsafe Function.compress(block, schedule: $0, state: &state)
    }
  }

  /// The digest of all hashed bytes; nothing may be added afterwards.
  package mutating func finalize() -> [UInt8] {
    let bits = length &* 8
    // The length has two words; all of it but the last eight bytes is zero.
    let lengthBytes = 2 * Self.wordLength
    let padding = (Self.blockLength * 2 - 1 - lengthBytes - pending.count) % Self.blockLength
    var end: [UInt8] = [0x80] + [UInt8](repeating: 0, count: padding + lengthBytes - 8)
    BigEndian.append(bits, width: 8, to: &end)
    update(end)
    var digest: [UInt8] = []
    for word in state { BigEndian.append(UInt64(word), width: Self.wordLength, to: &digest) }
    return digest
  }
}

/// The part in which SHA-256 and SHA-512 differ.
///
/// The rounds are functions of each, so that the loop over a block has words of a known width.
package protocol BlockFunction {
  associatedtype Word: FixedWidthInteger & UnsignedInteger & Sendable

  static var initialState: [Word] { get }
  static var constants: [Word] { get }

  static func compress(
    _ block: UnsafeRawBufferPointer,
    schedule words: UnsafeMutableBufferPointer<Word>,
    state: inout [Word]
  )
}

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

/// Pseudorandom numbers that depend only on their purpose, based on SplitMix64.
package enum RandomMix {
  package static func mixed(_ state: UInt64, with value: UInt64) -> UInt64 {
    var result = (state ^ value &* 0x9E37_79B9_7F4A_7C15) &+ 0x9E37_79B9_7F4A_7C15
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }
}

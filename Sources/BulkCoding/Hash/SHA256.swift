/// The hash function SHA-256 of FIPS 180-4, computed incrementally.
package struct SHA256: Sendable {
  /// The length of a digest in bytes.
  package static let digestLength = 32

  private static let blockLength = 64
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  /// A hash of no bytes.
  package init() {}

  /// The digest of bytes that are all at hand.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Hashes the UTF-8 bytes of a text.
  package mutating func update(_ text: String) { update(Array(text.utf8)) }

  /// Hashes more bytes.
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

  /// The digest of all hashed bytes; nothing may be added afterwards.
  package mutating func finalize() -> [UInt8] {
    let bits = length &* 8
    let padding = (Self.blockLength * 2 - 9 - pending.count) % Self.blockLength
    var end: [UInt8] = [0x80] + [UInt8](repeating: 0, count: padding)
    BigEndian.append(bits, width: 8, to: &end)
    update(end)
    var digest: [UInt8] = []
    for word in state { BigEndian.append(UInt64(word), width: 4, to: &digest) }
    return digest
  }

  private mutating func compress(_ block: UnsafeRawBufferPointer) {
    unsafe schedule.withUnsafeMutableBufferPointer { words in
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
      unsafe Self.rounds(words, state: &state)
    }
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
  fileprivate func rotated(_ count: UInt32) -> UInt32 {
    (self >> count) | (self << (32 &- count))
  }
}

extension SHA256 {
  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4,
  /// section 4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
    0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
    0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
    0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

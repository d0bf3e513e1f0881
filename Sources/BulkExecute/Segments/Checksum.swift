/// A 64-bit checksum that detects accidental changes: XXH64 with seed 0.
///
/// Source: the algorithm's description, xxHash `doc/xxhash_spec.md`.
enum Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  static func of(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { unsafe of(UnsafeRawBufferPointer($0)) }
      ?? of(Array(bytes))
  }

  private static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var offset = 0
    var hash = unsafe bytes.count >= 32 ? stripes(of: bytes, upTo: &offset) : prime5
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash = unsafe rotated(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = unsafe UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      )
      hash = rotated(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = unsafe rotated(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset += 1
    }
    return avalanche(hash)
  }

  private static func stripes(of bytes: UnsafeRawBufferPointer, upTo offset: inout Int) -> UInt64 {
    var first = prime1 &+ prime2
    var second = prime2
    var third: UInt64 = 0
    var fourth = 0 &- prime1
    while offset + 32 <= bytes.count {
      first = unsafe round(first, word(bytes, offset))
      second = unsafe round(second, word(bytes, offset + 8))
      third = unsafe round(third, word(bytes, offset + 16))
      fourth = unsafe round(fourth, word(bytes, offset + 24))
      offset += 32
    }
    var hash = rotated(first, 1) &+ rotated(second, 7) &+ rotated(third, 12) &+ rotated(fourth, 18)
    for lane in [first, second, third, fourth] {
      hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
    return hash
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value &<< count | value &>> (64 - count)
  }

  private static func avalanche(_ hash: UInt64) -> UInt64 {
    var mixed = (hash ^ hash &>> 33) &* prime2
    mixed = (mixed ^ mixed &>> 29) &* prime3
    return mixed ^ mixed &>> 32
  }
}

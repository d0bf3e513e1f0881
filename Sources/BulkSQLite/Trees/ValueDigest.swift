/// A digest of a row's id and some of its values, in their order and with their classes.
struct ValueDigest {
  private(set) var value: UInt64

  /// What tells the classes apart: multiples of 2^64 divided by the golden ratio, so far from each
  /// other that no small number makes up for their difference.
  private enum Tag {
    static let null: UInt64 = 0x9E37_79B9_7F4A_7C15
    static let integer: UInt64 = 0x3C6E_F372_FE94_F82A
    static let real: UInt64 = 0xDAA6_6D2C_7DDF_743F
    static let text: UInt64 = 0x78DD_E6E5_FD29_F054
    static let blob: UInt64 = 0x1715_609F_7C74_6C69
  }

  init(_ rowID: Int64) { value = Self.mixed(UInt64(bitPattern: rowID)) }

  /// Takes NULL.
  mutating func addNull() { value = Self.mixed(value &+ Tag.null) }

  /// Takes a whole number.
  mutating func add(_ number: Int64) {
    value = Self.mixed((value &+ Tag.integer) ^ UInt64(bitPattern: number))
  }

  /// Takes a real number.
  mutating func add(_ number: Double) {
    value = Self.mixed((value &+ Tag.real) ^ number.bitPattern)
  }

  /// Takes a text or a blob.
  mutating func add(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    value = Self.mixed((value &+ (isText ? Tag.text : Tag.blob)) ^ UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      value = Self.mixed(value ^ word)
      offset += 8
    }
    while offset < bytes.count {
      value = Self.mixed(value ^ UInt64(bytes[offset]))
      offset += 1
    }
  }

  /// Spreads every bit of a number over all others.
  ///
  /// Source: the finishing step of SplitMix64, by Guy Steele, Doug Lea and Christine Flood.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var result = number &+ 0x9E37_79B9_7F4A_7C15
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }
}

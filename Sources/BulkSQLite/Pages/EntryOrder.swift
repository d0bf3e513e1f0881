/// The order of integers in an index, in which NULL comes first, or last where they descend.
///
/// The word of NULL is 0, which would be that of the least integer; where values descend, all bits of their
/// words are inverted.
enum EntryOrder {
  /// The word of a row id or of a value that ascends, which is not the least integer.
  @inline(__always)
  static func word(of number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  /// The row id that a word stands for.
  static func row(of word: UInt64) -> Int64 { Int64(bitPattern: word ^ 1 << 63) }

  /// The value that a word stands for.
  static func value(of word: UInt64, descends: Bool) -> Int64? {
    let plain = descends ? ~word : word
    return plain == 0 ? nil : row(of: plain)
  }
}

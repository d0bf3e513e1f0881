/// How the integers of an index's entries are packed into one number each, in whose order the entries are.
///
/// A packing widens as values are met that it has no room for. The order of entries is that of their numbers
/// under any packing that has room for them.
struct EntryPacking: Equatable {
  /// The bits of one integer.
  struct Field: Equatable {
    /// The word that has the least number but for NULL; `nil` if there is room for NULL only.
    var low: UInt64?
    /// The number of bits.
    var bits = 2

    /// The greatest number, which descending NULLs have.
    @inline(__always)
    var most: UInt64 { bits == 64 ? .max : 1 << UInt64(bits) - 1 }

    /// The number of a word; see ``EntryOrder`` for words.
    @inline(__always)
    func number(of word: UInt64) -> UInt64 {
      if bits == 64 { return word }
      if word == 0 { return 0 }
      return word == .max ? most : word - (low ?? word) + 1
    }

    /// The word that has a number.
    @inline(__always)
    func word(of number: UInt64) -> UInt64 {
      if bits == 64 { return number }
      if number == 0 { return 0 }
      return number == most ? .max : number - 1 + (low ?? 0)
    }

    /// The same with room for words from a least to a greatest one.
    func widened(from least: UInt64, to greatest: UInt64) -> Field {
      if bits == 64 { return self }
      var (start, high) = (least, greatest)
      if let low {
        if least >= low, greatest - low < most - 1 { return self }
        let (top, isBeyond) = low.addingReportingOverflow(most - 2)
        high = max(greatest, isBeyond ? .max : top)
        // Where words descend, the room doubles as well.
        start = least < low ? (least > high - least ? least - (high - least) : 1) : low
      }
      let span = high - start
      guard span < UInt64.max / 4 else { return Field(low: 0, bits: 64) }
      return Field(low: start, bits: 64 - (span + 2).leadingZeroBitCount)
    }
  }

  /// The integers of an entry, most significant first; the last one is the row id.
  private(set) var fields: [Field]

  /// A packing with room for NULL only.
  init(width: Int) { fields = [Field](repeating: Field(), count: width) }

  /// The bits of an entry.
  var bits: Int { fields.reduce(0) { $0 + $1.bits } }
  /// The bits of the row id, which are the least significant ones.
  var rowBits: Int { fields[fields.count - 1].bits }

  /// Makes room for words from a least to a greatest one, neither of which is of NULL.
  mutating func widen(_ field: Int, from least: UInt64, to greatest: UInt64) {
    fields[field] = fields[field].widened(from: least, to: greatest)
  }

  /// The number that an entry has under another packing, which has room for it.
  func number<From: PackedEntry, To: PackedEntry>(
    of entry: From,
    under other: EntryPacking
  ) -> To {
    var result: To = 0
    var rest = bits
    for (mine, its) in zip(fields, other.fields) {
      rest -= mine.bits
      let number = UInt64(truncatingIfNeeded: entry >> From(rest)) & mine.most
      result =
        result << To(its.bits) | To(its.number(of: mine.word(of: number)))
    }
    return result
  }
}

/// A number into which an entry is packed.
protocol PackedEntry: FixedWidthInteger, UnsignedInteger {}

extension UInt64: PackedEntry {}
extension UInt128: PackedEntry {}

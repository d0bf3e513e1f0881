/// The packing of an index entry's integers into one number each, in whose order the entries are.
///
/// A packing widens for values that it has no space for. The order of entries is that of their
/// numbers under any packing that has space for them.
struct EntryPacking: Equatable {
  struct Field: Equatable {
    /// The word that has the least number but for NULL.
    let low: UInt64
    let bits: Int
    /// The greatest number, which descending NULLs have.
    let most: UInt64
    private let isBare: Bool

    /// Space for NULL only.
    init() { (low, bits, most, isBare) = (1, 2, 3, true) }

    /// Space for words from a least to a greatest one, neither that of NULL.
    init(from least: UInt64, to greatest: UInt64) {
      let span = greatest - least
      let isAny = span >= UInt64.max / 4
      low = isAny ? 0 : least
      bits = isAny ? 64 : 64 - (span + 2).leadingZeroBitCount
      most = isAny ? .max : 1 << UInt64(bits) - 1
      isBare = false
    }

    /// The number of a word; see ``EntryOrder`` for words.
    @inline(__always)
    func number(of word: UInt64) -> UInt64 {
      if word == 0 || bits == 64 { return word }
      return word == .max ? most : word - low + 1
    }

    @inline(__always)
    func word(of number: UInt64) -> UInt64 {
      if number == 0 || bits == 64 { return number }
      return number == most ? .max : number - 1 + low
    }

    func widened(from least: UInt64, to greatest: UInt64) -> Field {
      guard !isBare else { return Field(from: least, to: greatest) }
      if bits == 64 || (least >= low && greatest - low < most - 1) { return self }
      let (top, isBeyond) = low.addingReportingOverflow(most - 2)
      let high = max(greatest, isBeyond ? .max : top)
      guard least < low else { return Field(from: low, to: high) }
      // Where words descend, the space doubles as well.
      return Field(from: least > high - least ? least - (high - least) : 1, to: high)
    }
  }

  /// The integers of an entry, most significant first; the last one is the row id.
  private(set) var fields: [Field]

  init(width: Int) { fields = [Field](repeating: Field(), count: width) }

  var bits: Int { fields.reduce(0) { $0 + $1.bits } }
  /// The bits of the row id, which are the least significant ones.
  var rowBits: Int { fields[fields.count - 1].bits }

  mutating func widen(_ field: Int, from least: UInt64, to greatest: UInt64) {
    fields[field] = fields[field].widened(from: least, to: greatest)
  }

  /// Takes back space for row ids that none of them needs, up to the word of the greatest one.
  mutating func tighten(to greatest: UInt64) {
    fields[fields.count - 1] = Field(from: fields[fields.count - 1].low, to: greatest)
  }

  /// The number that an entry has under another packing, which has space for it.
  func number<From: PackedEntry, To: PackedEntry>(of entry: From, under other: EntryPacking) -> To {
    var (result, rest, shift): (To, From, To) = (0, entry, 0)
    var index = fields.count
    while index > 0 {
      index -= 1
      let (mine, its) = (fields[index], other.fields[index])
      let number = UInt64(truncatingIfNeeded: rest) & mine.most
      result |= To(its.number(of: mine.word(of: number))) &<< shift
      rest = rest &>> From(truncatingIfNeeded: mine.bits)
      shift += To(truncatingIfNeeded: its.bits)
    }
    return result
  }
}

/// A number into which an entry is packed; no integer of it takes all of its bits.
protocol PackedEntry: FixedWidthInteger, UnsignedInteger {}

extension UInt64: PackedEntry {}
extension UInt128: PackedEntry {}

/// The order of integers in an index, in which NULL comes first, or last where they descend.
///
/// The word of NULL is 0, which would be that of the least integer; where values descend, all bits of their
/// words are inverted.
enum EntryOrder {
  /// The word of a row id or of a value that ascends, which is not the least integer.
  @inline(__always)
  static func word(of number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  static func row(of word: UInt64) -> Int64 { Int64(bitPattern: word ^ 1 << 63) }

  static func value(of word: UInt64, descends: Bool) -> Int64? {
    let plain = descends ? ~word : word
    return plain == 0 ? nil : row(of: plain)
  }
}

/// Unpacks entries that come in their order.
struct EntryReader<Entry: PackedEntry>: ~Copyable {
  /// The words of the entry that was read last.
  let words: UnsafeMutablePointer<UInt64>
  private let fields: UnsafeMutableBufferPointer<EntryPacking.Field>
  private let rowBits: Entry
  private var former: Entry?

  init(_ packing: EntryPacking) {
    fields = .allocate(capacity: packing.fields.count)
    _ = fields.initialize(from: packing.fields)
    words = .allocate(capacity: fields.count)
    rowBits = Entry(packing.rowBits)
  }

  deinit {
    fields.deallocate()
    words.deallocate()
  }

  /// Unpacks an entry, and returns whether its columns are equal to those of the one before.
  @inline(__always)
  mutating func read(_ entry: Entry) -> Bool {
    var rest = entry
    var index = fields.count - 1
    while index >= 0 {
      let field = fields[index]
      words[index] = field.word(of: UInt64(truncatingIfNeeded: rest) & field.most)
      rest = rest &>> Entry(truncatingIfNeeded: field.bits)
      index -= 1
    }
    let key = entry &>> rowBits
    defer { former = key }
    assert(former.map { $0 <= key } ?? true, "the entries of an index ascend")
    return former == key
  }
}

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

  /// Unpacks an entry.
  ///
  /// - Returns: Whether its columns are equal to those of the one before.
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
    return former == key
  }
}

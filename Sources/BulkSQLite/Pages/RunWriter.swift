/// Writes the entries of a run, in their order.
struct RunWriter<Entry: PackedEntry>: ~Copyable {
  private let file: RunFile
  private let packing: EntryPacking
  private let start: Int64
  private var end: Int64
  private var count = 0
  private let base: UnsafeMutableRawPointer
  private var used = 0
  /// The entry before.
  private var former: Entry = 0

  /// The bytes that are written at once.
  private static var blockSize: Int { 1 << 16 }

  init(_ file: RunFile, from start: Int64, _ packing: EntryPacking) {
    self.file = file
    self.packing = packing
    (self.start, end) = (start, start)
    base = .allocate(byteCount: Self.blockSize + Entry.mostBytes, alignment: 16)
  }

  deinit { base.deallocate() }

  /// Writes an entry, which is not less than the one before.
  @inline(__always)
  mutating func append(_ entry: Entry) throws(SQLiteError) {
    var rest = entry &- former
    former = entry
    while rest >= 0x80 {
      let byte = UInt8(truncatingIfNeeded: rest) | 0x80
      base.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
      used += 1
      rest = rest &>> 7
    }
    base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: used, as: UInt8.self)
    used += 1
    count += 1
    if used >= Self.blockSize { try flush() }
  }

  /// Ends the run.
  mutating func finish() throws(SQLiteError) -> RunFile.Run {
    try flush()
    return RunFile.Run(offset: start, size: end - start, count: count, packing: packing)
  }

  private mutating func flush() throws(SQLiteError) {
    end = try file.append(UnsafeRawBufferPointer(start: base, count: used))
    used = 0
  }
}

extension PackedEntry {
  /// The most bytes that one takes in a run.
  static var mostBytes: Int { (bitWidth + 6) / 7 }
}

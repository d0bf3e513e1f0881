internal import BulkSupport

/// Sorted runs of entries in an unnamed file: each entry as its difference from the one before, seven bits in
/// a byte, the least significant first.
final class RunFile {
  struct Run {
    /// In bytes.
    let offset: Int64
    let size: Int64
    let count: Int
    let packing: EntryPacking
    let last: UInt128
  }

  /// In bytes.
  static let readSize = 1 << 13

  /// The maximum number of runs that can be merged at once within some bytes of memory.
  static func mostRuns(in memory: Int) -> Int { min(max(memory / (2 * readSize), 2), 256) }

  /// The name that it had when it was made.
  let path: String
  private var file: PlainFile?
  private var end: Int64 = 0

  /// A file that is made when the first run is written.
  init(beside path: String) { self.path = path + "-runs" }

  /// Begins a run, or continues the last one; no other may be written before its end.
  func begin<Entry>(
    _ packing: EntryPacking,
    _ type: Entry.Type,
    after last: Run? = nil
  ) throws(SQLiteError) -> RunWriter<Entry> {
    if file == nil { try make() }
    return RunWriter(self, from: end, packing, after: last)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Int
  {
    guard let file else { return 0 }
    let count = file.read(into: buffer, at: offset)
    guard count >= 0 else { throw file.failure("it cannot be read") }
    return count
  }

  /// Appends bytes of a run, and returns the end of the file.
  func append(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) -> Int64 {
    try file?.write(bytes, at: end)
    end += Int64(bytes.count)
    return end
  }

  private func make() throws(SQLiteError) {
    // A file that a former process left under the name is of no use.
    unlink(path)
    file = try PlainFile.existing(path, PlainFile.own | O_CREAT | O_EXCL)
    unlink(path)
  }
}

/// Writes the entries of a run, in their order.
struct RunWriter<Entry: PackedEntry>: ~Copyable {
  private let file: RunFile
  private let packing: EntryPacking
  private let start: Int64
  private var end: Int64
  private var count: Int
  private let base: UnsafeMutableRawPointer
  private var used = 0
  private var former: Entry

  /// In bytes.
  private static var blockSize: Int { 1 << 16 }

  init(_ file: RunFile, from end: Int64, _ packing: EntryPacking, after last: RunFile.Run?) {
    self.file = file
    self.packing = packing
    assert(last.map { $0.offset + $0.size == end } ?? true, "a run is in one piece")
    (start, self.end) = (last?.offset ?? end, end)
    (count, former) = (last?.count ?? 0, Entry(truncatingIfNeeded: last?.last ?? 0))
    base = .allocate(byteCount: Self.blockSize + Entry.mostBytes, alignment: 16)
  }

  deinit { base.deallocate() }

  /// Writes an entry, which is not less than the one before.
  @inline(__always)
  mutating func append(_ entry: Entry) throws(SQLiteError) {
    // The difference of a lesser one would wrap, and be read as a greater entry.
    assert(entry >= former, "the entries of a run ascend")
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

  mutating func finish() throws(SQLiteError) -> RunFile.Run {
    try flush()
    return RunFile.Run(
      offset: start,
      size: end - start,
      count: count,
      packing: packing,
      last: UInt128(former)
    )
  }

  private mutating func flush() throws(SQLiteError) {
    end = try file.append(UnsafeRawBufferPointer(start: base, count: used))
    used = 0
  }
}

extension PackedEntry {
  /// The maximum number of bytes of an entry in a run.
  static var mostBytes: Int { (bitWidth + 6) / 7 }
}

/// Reads the entries of a run, in their order.
struct RunReader<Entry: PackedEntry>: ~Copyable {
  private let file: RunFile
  private let packing: EntryPacking
  private let other: EntryPacking
  /// Whether entries are packed in the run as requested.
  private let isPackedAlike: Bool
  private var offset: Int64
  private var bytesLeft: Int64
  private var entriesLeft: Int
  private let block: UnsafeMutableRawBufferPointer
  private var (position, end) = (0, 0)
  /// The entry before, as it is packed in the run.
  private var former: Entry = 0

  /// Reads a run as entries of another packing, which has space for them.
  init(_ run: RunFile.Run, of file: RunFile, under other: EntryPacking) {
    self.file = file
    self.other = other
    packing = run.packing
    isPackedAlike = run.packing == other
    offset = run.offset
    bytesLeft = run.size
    entriesLeft = run.count
    block = .allocate(byteCount: RunFile.readSize, alignment: 16)
  }

  deinit { block.deallocate() }

  @inline(__always)
  mutating func next() throws(SQLiteError) -> Entry? {
    guard entriesLeft > 0 else { return nil }
    entriesLeft -= 1
    if end - position < Entry.mostBytes, bytesLeft > 0 { try fill() }
    former &+= try difference()
    return isPackedAlike ? former : packing.number(of: former, under: other)
  }

  @inline(__always)
  private mutating func difference() throws(SQLiteError) -> Entry {
    var (result, shift): (Entry, Entry) = (0, 0)
    while position < end, shift < Entry(Entry.bitWidth) {
      let byte = block[position]
      position += 1
      result |= Entry(byte & 0x7F) &<< shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw SQLiteError(.inputOutput, message: "a sorted run was changed", path: file.path)
  }

  private mutating func fill() throws(SQLiteError) {
    let rest = end - position
    block.copyMemory(from: UnsafeRawBufferPointer(block.part(position..<end)))
    let size = Int(min(Int64(block.count - rest), bytesLeft))
    let got = try file.read(into: block.part(rest..<rest + size), at: offset)
    guard got == size else {
      throw SQLiteError(.inputOutput, message: "a sorted run was cut off", path: file.path)
    }
    offset += Int64(got)
    bytesLeft -= Int64(got)
    (position, end) = (0, rest + got)
  }
}

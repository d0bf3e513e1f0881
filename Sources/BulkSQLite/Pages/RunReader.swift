/// Reads the entries of a run, in their order.
struct RunReader<Entry: PackedEntry>: ~Copyable {
  private let file: RunFile
  private let packing: EntryPacking
  private let other: EntryPacking
  /// Whether entries are packed in the run as they shall be.
  private let isPackedAlike: Bool
  private var offset: Int64
  private var bytesLeft: Int64
  private var entriesLeft: Int
  private let block: UnsafeMutableRawBufferPointer
  private var (place, end) = (0, 0)
  /// The entry before, as it is packed in the run.
  private var former: Entry = 0

  /// - Parameters:
  ///   - run: The run.
  ///   - file: Where it is.
  ///   - other: How the entries shall be packed; those of the run fit.
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

  /// The next entry; `nil` after the last one.
  @inline(__always)
  mutating func next() throws(SQLiteError) -> Entry? {
    guard entriesLeft > 0 else { return nil }
    entriesLeft -= 1
    if end - place < Entry.mostBytes, bytesLeft > 0 { try fill() }
    former &+= try difference()
    return isPackedAlike ? former : packing.number(of: former, under: other)
  }

  @inline(__always)
  private mutating func difference() throws(SQLiteError) -> Entry {
    var (result, shift): (Entry, Entry) = (0, 0)
    while place < end, shift < Entry(Entry.bitWidth) {
      let byte = block[place]
      place += 1
      result |= Entry(byte & 0x7F) &<< shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw SQLiteError(.inputOutput, message: "a sorted run was changed", path: file.path)
  }

  private mutating func fill() throws(SQLiteError) {
    let rest = end - place
    block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[place..<end]))
    let size = Int(min(Int64(block.count - rest), bytesLeft))
    let got = try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: block[rest..<(rest + size)]),
      at: offset
    )
    guard got == size else {
      throw SQLiteError(.inputOutput, message: "a sorted run was cut off", path: file.path)
    }
    offset += Int64(got)
    bytesLeft -= Int64(got)
    (place, end) = (0, rest + got)
  }
}

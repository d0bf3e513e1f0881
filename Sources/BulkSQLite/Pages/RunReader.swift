/// Reads the entries of a run, in their order.
final class RunReader {
  private let file: RunFile
  private let packing: EntryPacking
  private var offset: Int64
  private var bytesLeft: Int64
  private var entriesLeft: Int
  private let block: UnsafeMutableRawBufferPointer
  private var (place, end) = (0, 0)
  /// The entry before, as it is packed in the run.
  private var former: UInt128 = 0

  /// The bytes that are read at once.
  static let blockSize = 1 << 13

  init(_ run: RunFile.Run, of file: RunFile) {
    self.file = file
    packing = run.packing
    offset = run.offset
    bytesLeft = run.size
    entriesLeft = run.count
    // An entry that was changed may go on behind the end.
    block = .allocate(byteCount: Self.blockSize + UInt128.mostBytes, alignment: 16)
    block.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { block.deallocate() }

  /// The next entry under a packing that is as wide; `nil` after the last one.
  func next<Entry: PackedEntry>(under other: EntryPacking) throws(SQLiteError) -> Entry? {
    guard entriesLeft > 0 else { return nil }
    entriesLeft -= 1
    if end - place < UInt128.mostBytes, bytesLeft > 0 { try fill() }
    former &+= try difference()
    guard packing != other else { return Entry(truncatingIfNeeded: former) }
    return packing.number(of: former, under: other)
  }

  @inline(__always)
  private func difference() throws(SQLiteError) -> UInt128 {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while place < end, shift < 63 {
      let byte = block[place]
      place += 1
      result |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return UInt128(result) }
      shift += 7
    }
    var (high, highShift) = (UInt128(result), UInt128(63))
    while place < end, highShift < 128 {
      let byte = block[place]
      place += 1
      high |= UInt128(byte & 0x7F) &<< highShift
      if byte < 0x80 { return high }
      highShift += 7
    }
    throw SQLiteError(.inputOutput, message: "a sorted run was changed", path: file.path)
  }

  private func fill() throws(SQLiteError) {
    let rest = end - place
    block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[place..<end]))
    let room = block.count - rest
    let size = Int(min(Int64(room), bytesLeft))
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

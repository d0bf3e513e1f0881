/// The parts of a segment file around its blocks.
///
/// A segment is a sequence of zstd frames, so `zstd -t` accepts it. Numbers are little-endian.
///
/// - Header, a skippable frame of 24 bytes: frame magic (4), content size 16 (4), `BULKASSO` (8),
///   version 1 (4), maximum number of runs in a block (4).
/// - Blocks, each one frame: a zstd frame, or a skippable frame if compression was not worthwhile.
/// - Index, a skippable frame: frame magic (4), content size (4), an entry of 48 bytes for each block
///   and a trailer of 48 bytes.
/// - Entry: offset of the frame (8), first source key (8), last source key (8), runs (4), size of the
///   frame (4), size of the block (4), whether it is compressed (4), checksum of the frame (8).
/// - Trailer: offset of the index (8), runs (8), pairs (8), blocks (4), zero (4), checksum of header
///   and index up to here (8), `OSSAKLUB` (8).
///
/// The checksum of the index covers those of the blocks, and so the whole file. See ``Checksum``.
enum SegmentLayout {
  static let version: UInt32 = 1
  static let headerSize = 24
  static let entrySize = 48
  static let trailerSize = 48
  /// The size of a segment without blocks.
  static let leastSize = headerSize + SkippableFrame.headerSize + trailerSize

  private static let mark = Array("BULKASSO".utf8)
  private static let endMark = Array("OSSAKLUB".utf8)

  static func header() -> [UInt8] {
    var content = mark
    content.append(littleEndian: version)
    content.append(littleEndian: UInt32(RunBlock.capacity))
    return SkippableFrame.bytes(holding: content)
  }

  /// `nil` if the header is supported.
  static func fault(ofHeader header: [UInt8]) -> String? {
    guard header.count == headerSize, Array(header[8..<16]) == mark else {
      return "it does not begin with BULKASSO"
    }
    let found = header.number(at: 16, as: UInt32.self)
    guard found == version else { return "it has version \(found), not \(version)" }
    return header == self.header() ? nil : "its header has unknown values"
  }

  static func index(_ index: SegmentIndex) -> (bytes: [UInt8], checksum: UInt64) {
    var bytes: [UInt8] = []
    let contentSize = index.entries.count * entrySize + trailerSize
    bytes.reserveCapacity(SkippableFrame.headerSize + contentSize)
    bytes.append(littleEndian: SkippableFrame.magic)
    bytes.append(littleEndian: UInt32(contentSize))
    for entry in index.entries { append(entry, to: &bytes) }
    bytes.append(littleEndian: Int64(index.offset))
    bytes.append(littleEndian: index.runCount)
    bytes.append(littleEndian: index.pairCount)
    bytes.append(littleEndian: UInt32(index.entries.count))
    bytes.append(littleEndian: UInt32(0))
    let checksum = Checksum.of(header() + bytes)
    bytes.append(littleEndian: checksum)
    bytes += endMark
    return (bytes, checksum)
  }

  /// `nil` if the trailer has no end mark.
  static func entryCount(inTrailer trailer: [UInt8]) -> Int? {
    guard trailer.count == trailerSize, Array(trailer[40...]) == endMark else { return nil }
    return Int(trailer.number(at: 24, as: UInt32.self))
  }

  /// `nil` if the frame is damaged.
  static func index(in frame: [UInt8]) -> (index: SegmentIndex, checksum: UInt64)? {
    let trailer = frame.count - trailerSize
    var index = SegmentIndex(
      offset: Int(truncatingIfNeeded: frame.number(at: trailer, as: UInt64.self))
    )
    index.runCount = frame.number(at: trailer + 8, as: UInt64.self)
    index.pairCount = frame.number(at: trailer + 16, as: UInt64.self)
    for place in stride(from: SkippableFrame.headerSize, to: trailer, by: entrySize) {
      index.entries.append(entry(in: frame, at: place))
    }
    // Encoding the index again must reproduce it, checksum and end mark included.
    let (bytes, checksum) = self.index(index)
    return bytes == frame ? (index, checksum) : nil
  }

  private static func append(_ entry: EncodedBlock.Entry, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: entry.offset)
    bytes.append(littleEndian: entry.firstSourceKey)
    bytes.append(littleEndian: entry.lastSourceKey)
    bytes.append(littleEndian: entry.runCount)
    bytes.append(littleEndian: entry.frameSize)
    bytes.append(littleEndian: entry.blockSize)
    bytes.append(littleEndian: UInt32(entry.isCompressed ? 1 : 0))
    bytes.append(littleEndian: entry.checksum)
  }

  private static func entry(in bytes: [UInt8], at place: Int) -> EncodedBlock.Entry {
    EncodedBlock.Entry(
      offset: bytes.number(at: place, as: UInt64.self),
      firstSourceKey: bytes.number(at: place + 8, as: Int64.self),
      lastSourceKey: bytes.number(at: place + 16, as: Int64.self),
      runCount: bytes.number(at: place + 24, as: UInt32.self),
      frameSize: bytes.number(at: place + 28, as: UInt32.self),
      blockSize: bytes.number(at: place + 32, as: UInt32.self),
      isCompressed: bytes.number(at: place + 36, as: UInt32.self) == 1,
      checksum: bytes.number(at: place + 40, as: UInt64.self)
    )
  }
}

/// The index of a segment's blocks.
struct SegmentIndex: Sendable {
  var offset: Int
  var runCount: UInt64 = 0
  /// The greatest number if there are more.
  var pairCount: UInt64 = 0
  var entries: [EncodedBlock.Entry] = []
}

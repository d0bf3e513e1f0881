/// The parts of a segment file around its blocks.
///
/// A segment is a sequence of zstd frames, so `zstd -t` accepts it, and `zstd -d` writes its blocks one after another.
/// Numbers are little-endian. A skippable frame (RFC 8878, 3.1.2) begins with its magic number (4 bytes) and the
/// size of its content (4).
///
/// - Header, a skippable frame of 24 bytes: `BULKASSO` (8), version 2 (4), maximum number of runs in a block (4).
/// - Blocks, each a zstd frame; see ``RunBlock``.
/// - Index, a skippable frame: a ``BitColumn`` each of the blocks' first source keys, last source keys, numbers of
///   runs, sizes of the frames, sizes of the blocks, and checksums of the frames; then the trailer.
/// - Trailer of 48 bytes: offset of the index (8), runs (8), pairs (8), blocks (4), zero (4), checksum of header
///   and index up to here (8), `OSSAKLUB` (8).
///
/// The checksum of the index covers those of the blocks, and so the whole file. See ``Checksum``.
enum SegmentLayout {
  static let version: UInt32 = 2
  static let headerSize = 24
  static let trailerSize = 48
  /// The size of a segment without blocks.
  static let leastSize = headerSize + frameHeaderSize + trailerSize

  private static let frameHeaderSize = 8
  private static let frameMagic: UInt32 = 0x184D_2A5B
  private static let mark = Array("BULKASSO".utf8)
  private static let endMark = Array("OSSAKLUB".utf8)

  private static func frame(holding content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frameHeaderSize + content.count)
    bytes.append(littleEndian: frameMagic)
    bytes.append(littleEndian: UInt32(content.count))
    return bytes + content
  }

  static func header() -> [UInt8] {
    var content = mark
    content.append(littleEndian: version)
    content.append(littleEndian: UInt32(RunBlock.capacity))
    return frame(holding: content)
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
    var content: [UInt8] = []
    for column in index.columns { BitColumn.encode(column, into: &content) }
    content.append(littleEndian: Int64(index.offset))
    content.append(littleEndian: index.runCount)
    content.append(littleEndian: index.pairCount)
    content.append(littleEndian: UInt32(index.entries.count))
    content.append(littleEndian: UInt32(0))
    // The frame counts its last 16 bytes, too.
    var bytes = frame(holding: content + [UInt8](repeating: 0, count: 16))
    bytes.removeLast(16)
    let checksum = Checksum.of(header() + bytes)
    bytes.append(littleEndian: checksum)
    return (bytes + endMark, checksum)
  }

  /// The offset of the index in a file; `nil` if the trailer has no end mark, or the offset is not in the file.
  static func indexOffset(inTrailer trailer: [UInt8], of size: Int) -> Int? {
    guard trailer.count == trailerSize, Array(trailer[40...]) == endMark,
      let offset = Int(exactly: trailer.number(at: 0, as: UInt64.self)),
      offset >= headerSize, offset <= size - frameHeaderSize - trailerSize
    else { return nil }
    return offset
  }

  /// `nil` if the frame is damaged.
  static func index(in frame: [UInt8]) -> (index: SegmentIndex, checksum: UInt64)? {
    let trailer = frame.count - trailerSize
    let checksum = frame.number(at: trailer + 32, as: UInt64.self)
    // Nothing is read before it is known to be as it was written.
    guard Checksum.of(header() + frame[..<(trailer + 32)]) == checksum else { return nil }
    var index = SegmentIndex(
      offset: Int(truncatingIfNeeded: frame.number(at: trailer, as: UInt64.self))
    )
    index.runCount = frame.number(at: trailer + 8, as: UInt64.self)
    index.pairCount = frame.number(at: trailer + 16, as: UInt64.self)
    let count = Int(frame.number(at: trailer + 24, as: UInt32.self))
    // No zstd frame is shorter than 9 bytes, with which any count of equal numbers would be believed.
    guard count <= index.offset / 9 else { return nil }
    var cursor = frameHeaderSize
    var columns: [[Int64]] = []
    for _ in index.columns {
      guard let column = BitColumn.decode(count, from: frame, at: &cursor) else { return nil }
      columns.append(column)
    }
    guard cursor == trailer else { return nil }
    var offset = UInt64(headerSize)
    for block in 0..<count {
      let numbers = columns.map { $0[block] }
      guard let runCount = UInt32(exactly: numbers[2]), let frameSize = UInt32(exactly: numbers[3]),
        let blockSize = UInt32(exactly: numbers[4]),
        // None of the blocks may need more memory than a block may take.
        frameSize <= RunBlock.largestFrame, blockSize <= RunBlock.largestSize,
        numbers[0] <= numbers[1], block == 0 || columns[1][block - 1] <= numbers[0]
      else { return nil }
      index.entries.append(
        EncodedBlock.Entry(
          offset: offset,
          firstSourceKey: numbers[0],
          lastSourceKey: numbers[1],
          runCount: runCount,
          frameSize: frameSize,
          blockSize: blockSize,
          checksum: UInt64(bitPattern: numbers[5])
        )
      )
      offset += UInt64(frameSize)
    }
    return offset == UInt64(index.offset) ? (index, checksum) : nil
  }
}

/// The index of a segment's blocks.
struct SegmentIndex: Sendable {
  var offset: Int
  var runCount: UInt64 = 0
  /// The greatest number if there are more.
  var pairCount: UInt64 = 0
  var entries: [EncodedBlock.Entry] = []

  fileprivate var columns: [[Int64]] {
    [
      entries.map(\.firstSourceKey), entries.map(\.lastSourceKey),
      entries.map { Int64($0.runCount) }, entries.map { Int64($0.frameSize) },
      entries.map { Int64($0.blockSize) }, entries.map { Int64(bitPattern: $0.checksum) },
    ]
  }
}

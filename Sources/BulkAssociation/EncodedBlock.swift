/// A block of runs as stored in a segment, and in memory before it is written.
struct EncodedBlock: Sendable {
  /// The metadata of a block; 48 bytes in the index of a segment.
  struct Entry: Hashable, Sendable {
    /// The offset of the block's frame in the segment.
    var offset: UInt64
    let firstSourceKey: Int64
    let lastSourceKey: Int64
    let runCount: UInt32
    /// The size of the frame.
    let frameSize: UInt32
    /// The decompressed size of the block.
    let blockSize: UInt32
    let isCompressed: Bool
    /// The checksum of the frame.
    let checksum: UInt64
  }

  let entry: Entry
  let frame: [UInt8]
  /// The number of pairs of keys; the greatest number if there are more.
  let pairCount: UInt64

  /// Encodes runs, compressed if that is worthwhile.
  init(_ runs: [AssociationRun], with compressor: borrowing BlockCompressor) {
    let block = RunBlock.encode(runs)
    let compressed = compressor.compress(block)
    frame = compressed ?? SkippableFrame.bytes(holding: block)
    pairCount = runs.reduce(0) { sum, run in
      let (pairs, overflow) = sum.addingReportingOverflow(UInt64(run.length))
      return overflow ? .max : pairs
    }
    entry = Entry(
      offset: 0,
      firstSourceKey: runs[0].sourceKey,
      lastSourceKey: runs[runs.count - 1].lastSourceKey,
      runCount: UInt32(runs.count),
      frameSize: UInt32(frame.count),
      blockSize: UInt32(block.count),
      isCompressed: compressed != nil,
      checksum: Checksum.of(frame)
    )
  }

  /// The memory used by the block, in bytes.
  var memoryUse: Int { frame.count + MemoryLayout<EncodedBlock>.stride }
}

extension EncodedBlock.Entry {
  /// The runs of a frame, or the reason why it does not match this entry.
  func runs(
    of frame: [UInt8],
    with decompressor: borrowing BlockDecompressor
  ) -> Result<[AssociationRun], Fault> {
    guard Checksum.of(frame) == checksum else { return .failure(.checksum) }
    let block =
      isCompressed
      ? decompressor.decompress(frame, size: Int(blockSize)) : SkippableFrame.content(of: frame)
    guard let block, let runs = RunBlock.decode(block), runs.count == Int(runCount),
      runs.first?.sourceKey == firstSourceKey, runs.last?.lastSourceKey == lastSourceKey
    else { return .failure(.content) }
    return .success(runs)
  }

  enum Fault: String, Error {
    case checksum = "the block's checksum is another"
    case content = "the block does not hold the runs that the index promises"
  }
}

/// A frame that zstd skips, so that `zstd -t` can read a segment.
///
/// Layout, little-endian: a magic number of zstd's format (4 bytes), the size of the content
/// (4 bytes), the content. Source: RFC 8878, 3.1.2.
enum SkippableFrame {
  static let headerSize = 8
  static let magic: UInt32 = 0x184D_2A5B

  static func bytes(holding content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + content.count)
    bytes.append(littleEndian: magic)
    bytes.append(littleEndian: UInt32(content.count))
    return bytes + content
  }

  /// The content of a frame that consists of exactly one such frame.
  static func content(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= headerSize, bytes.number(at: 0, as: UInt32.self) == magic,
      Int(bytes.number(at: 4, as: UInt32.self)) == bytes.count - headerSize
    else { return nil }
    return Array(bytes[headerSize...])
  }
}

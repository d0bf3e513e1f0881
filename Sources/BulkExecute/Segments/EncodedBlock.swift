import CBulkZstd

/// A block of runs as stored in a segment, and in memory before it is written.
struct EncodedBlock: Sendable {
  /// The metadata of a block, from the index of a segment.
  struct Entry: Hashable, Sendable {
    var offset: UInt64
    let firstSourceKey: Int64
    let lastSourceKey: Int64
    let runCount: UInt32
    let frameSize: UInt32
    let blockSize: UInt32
    let checksum: UInt64
  }

  let entry: Entry
  let frame: [UInt8]
  /// The greatest number if there are more.
  let pairCount: UInt64

  init(
    _ runs: [AssociationRun],
    with compressor: borrowing BlockCompressor
  ) throws {
    let block = RunBlock.encode(runs)
    frame = try compressor.compress(block)
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
      checksum: Checksum.of(frame)
    )
  }
}

extension EncodedBlock.Entry {
  /// Or the reason why the frame does not match this entry.
  func runs(
    of frame: [UInt8],
    with decompressor: borrowing BlockDecompressor
  ) -> Result<[AssociationRun], Fault> {
    guard Checksum.of(frame) == checksum else { return .failure(.checksum) }
    guard let block = decompressor.decompress(frame, size: Int(blockSize)),
      let runs = RunBlock.decode(block), runs.count == Int(runCount),
      runs.first?.sourceKey == firstSourceKey, runs.last?.lastSourceKey == lastSourceKey
    else { return .failure(.content) }
    return .success(runs)
  }

  enum Fault: String, Error {
    case checksum = "the block's checksum is another"
    case content = "the block does not hold the runs that the index promises"
  }
}

/// Encodes runs as bytes, before compression.
///
/// Layout, little-endian: the number of runs (4 bytes), the first source key and the first
/// destination key (8 bytes each), then three columns (see ``BitColumn``): the lengths; the gaps from
/// the last source key of a run to the first of the next; the steps from the key after the last
/// destination key of a run to the first of the next, modulo 2⁶⁴. Gaps and steps are one fewer than
/// runs.
enum RunBlock {
  static let capacity = 2048
  /// In bytes.
  static let largestSize = headerSize + 3 * (9 + capacity * 8)
  /// In bytes.
  static let largestFrame = ZSTD_compressBound(largestSize)

  private static let headerSize = 20

  static func encode(_ runs: [AssociationRun]) -> [UInt8] {
    precondition(!runs.isEmpty && runs.count <= capacity, "a block has from 1 to \(capacity) runs")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + runs.count * 8)
    bytes.append(littleEndian: UInt32(runs.count))
    bytes.append(littleEndian: runs[0].sourceKey)
    bytes.append(littleEndian: runs[0].destinationKey)
    BitColumn.encode(runs.map(\.length), into: &bytes)
    let neighbours = zip(runs, runs.dropFirst())
    BitColumn.encode(neighbours.map { $1.sourceKey &- $0.lastSourceKey }, into: &bytes)
    let steps = neighbours.map { $1.destinationKey &- $0.lastDestinationKey &- 1 }
    BitColumn.encode(steps, into: &bytes)
    return bytes
  }

  /// `nil` if the bytes are not a block of ordered runs.
  static func decode(_ bytes: [UInt8]) -> [AssociationRun]? {
    let count = Int(bytes.number(at: 0, as: UInt32.self))
    guard bytes.count >= headerSize, (1...capacity).contains(count) else { return nil }
    var offset = headerSize
    guard let lengths = BitColumn.decode(count, from: bytes, at: &offset),
      let gaps = BitColumn.decode(count - 1, from: bytes, at: &offset),
      let steps = BitColumn.decode(count - 1, from: bytes, at: &offset),
      offset == bytes.count
    else { return nil }
    var run = AssociationRun(
      sourceKey: bytes.number(at: 4, as: Int64.self),
      destinationKey: bytes.number(at: 12, as: Int64.self),
      length: lengths[0]
    )
    var runs: [AssociationRun] = []
    runs.reserveCapacity(count)
    for index in 0..<count {
      if index > 0 {
        let previous = run
        run = AssociationRun(
          sourceKey: previous.lastSourceKey &+ gaps[index - 1],
          destinationKey: previous.lastDestinationKey &+ 1 &+ steps[index - 1],
          length: lengths[index]
        )
        guard run.sourceKey >= previous.lastSourceKey else { return nil }
      }
      guard run.isValid else { return nil }
      runs.append(run)
    }
    return runs
  }
}

/// Compresses blocks with one reused zstd context.
@safe package struct BlockCompressor: ~Copyable {
  private let context: OpaquePointer

  /// Level 1: for associations, level 3 was never smaller and always slower.
  private static let level: Int32 = 1

  package init() throws {
    guard let context = unsafe ZSTD_createCCtx() else { throw AssociationError.noCompressionMemory }
    unsafe self.context = unsafe context
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// A zstd frame; of what does not shrink it is some bytes larger.
  package func compress(_ block: [UInt8]) throws -> [UInt8] {
    let capacity = ZSTD_compressBound(block.count)
    let frame = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let size = unsafe ZSTD_compressCCtx(
        context,
        buffer.baseAddress,
        capacity,
        block,
        block.count,
        Self.level
      )
      count = ZSTD_isError(size) == 0 ? size : 0
    }
    guard !frame.isEmpty else { throw AssociationError.noCompressionMemory }
    return frame
  }
}

/// Decompresses blocks with one reused zstd context.
@safe package struct BlockDecompressor: ~Copyable {
  private let context: OpaquePointer

  package init() throws {
    guard let context = unsafe ZSTD_createDCtx() else { throw AssociationError.noCompressionMemory }
    unsafe self.context = unsafe context
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  /// The block of a zstd frame; `nil` if the frame does not hold exactly that many bytes.
  ///
  /// No more memory than that is allocated, whatever the frame claims.
  package func decompress(_ frame: [UInt8], size: Int) -> [UInt8]? {
    let block = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let written = unsafe ZSTD_decompressDCtx(
        context,
        buffer.baseAddress,
        size,
        frame,
        frame.count
      )
      count = ZSTD_isError(written) == 0 ? written : 0
    }
    return block.count == size ? block : nil
  }
}

enum CompressionLibrary {
  /// As `1.5.4`.
  package static var version: String { unsafe String(cString: ZSTD_versionString()) }
}

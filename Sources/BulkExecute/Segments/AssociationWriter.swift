internal import BulkSupport

/// Collects the associations of one entity mapping in source-key order.
///
/// Pairs become runs, runs become encoded blocks. Blocks stay in memory up to the writer's memory limit;
/// then they are written to a segment file, which is durable when ``seal()`` has returned.
package struct AssociationWriter: ~Copyable {
  /// The least memory in bytes that a writer needs: one block and one index.
  package static let leastMemory = 256 << 10

  private let folder: String
  private let prefix: String
  private let memoryLimit: Int
  private let compressor: BlockCompressor
  private var lastSourceKey: Int64?
  /// The run that the next pair may continue.
  private var openRun: AssociationRun?
  private var runs: [AssociationRun] = []
  private var blocks: [EncodedBlock] = []
  private var bytesOfFrames = 0
  private var segment: SegmentWriter?
  private var segments: [AssociationSegmentReference]

  /// The folder must exist before the first segment is written; the prefix is unique to this entity mapping.
  ///
  /// `memoryLimit` is in bytes, without zstd's memory; at least ``leastMemory``. Segments are those of a
  /// checkpoint that the writer continues.
  package init(
    folder: String,
    prefix: String,
    memoryLimit: Int,
    continuing segments: [AssociationSegmentReference] = []
  ) throws {
    self.folder = folder
    self.prefix = prefix
    self.memoryLimit = max(memoryLimit, Self.leastMemory)
    self.segments = segments
    lastSourceKey = segments.last?.lastSourceKey
    compressor = try BlockCompressor()
    runs.reserveCapacity(RunBlock.capacity)
  }

  /// In bytes, without zstd's memory and without the list of finished segments.
  package var memoryUse: Int {
    let runBytes = runs.capacity * MemoryLayout<AssociationRun>.stride
    let entryBytes = blocks.capacity * MemoryLayout<EncodedBlock>.stride
    return runBytes + entryBytes + bytesOfFrames + indexBytes
  }

  /// The source keys must follow those added before.
  package mutating func append(_ run: AssociationRun) throws {
    guard run.isValid else {
      throw AssociationError.invalidRun(
        sourceKey: run.sourceKey,
        destinationKey: run.destinationKey,
        length: run.length
      )
    }
    if let lastSourceKey, run.sourceKey < lastSourceKey {
      throw AssociationError.unorderedSourceKey(run.sourceKey, after: lastSourceKey)
    }
    lastSourceKey = run.lastSourceKey
    if let joined = openRun?.joined(with: run) {
      openRun = joined
    } else {
      try closeRun()
      openRun = run
    }
  }

  /// Makes everything added so far durable, and returns all segments, including those that the writer continued.
  package mutating func seal() throws -> [AssociationSegmentReference] {
    try closeRun()
    try closeBlock()
    try spill()
    try finishSegment()
    return segments
  }

  /// Ends the table; blocks that fit into memory stay there and are not durable.
  package consuming func finish() throws -> AssociationTable {
    try closeRun()
    try closeBlock()
    if segment != nil {
      try spill()
      try finishSegment()
    }
    return AssociationTable(folder: folder, segments: segments, blocks: blocks)
  }

  private var indexBytes: Int {
    // `segment?.memoryUse` would consume the segment.
    switch segment {
    case .some(let segment): segment.memoryUse
    case .none: 0
    }
  }

  private mutating func closeRun() throws {
    guard let run = openRun else { return }
    openRun = nil
    runs.append(run)
    if runs.count == RunBlock.capacity { try closeBlock() }
  }

  private mutating func closeBlock() throws {
    guard !runs.isEmpty else { return }
    let block = try EncodedBlock(runs, with: compressor)
    runs.removeAll(keepingCapacity: true)
    blocks.append(block)
    bytesOfFrames += block.frame.count
    // Space for the next block and the index stays reserved, so that the limit always holds.
    let reserved = RunBlock.largestFrame + memoryLimit / 4 - indexBytes
    if memoryUse + reserved > memoryLimit { try spill() }
  }

  private mutating func spill() throws {
    for block in blocks { try write(block) }
    blocks = []
    bytesOfFrames = 0
  }

  private mutating func write(_ block: EncodedBlock) throws {
    if segment == nil {
      let number = String(segments.count + 1)
      let digits = String(repeating: "0", count: max(0, 6 - number.utf8.count)) + number
      segment = try SegmentWriter("\(prefix)-\(digits).zst", in: folder)
    }
    try segment?.append(block)
    // The index grows by doubling and so never exceeds a quarter of the limit.
    if indexBytes > memoryLimit / 8 { try finishSegment() }
  }

  private mutating func finishSegment() throws {
    guard let finished = segment.take() else { return }
    segments.append(try finished.finish())
  }
}

/// Writes blocks to a new segment file.
///
/// Until ``finish()`` has returned, the file is not a valid segment, and nothing may refer to it.
struct SegmentWriter: ~Copyable {
  private let file: OpenFile
  private let folder: String
  private let name: String
  private var index: SegmentIndex

  init(_ name: String, in folder: String) throws {
    let file = try OpenFile(folder + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    try file.write(SegmentLayout.header())
    self.file = file
    self.folder = folder
    self.name = name
    index = SegmentIndex(offset: SegmentLayout.headerSize)
  }

  /// In bytes.
  var memoryUse: Int { index.entries.capacity * MemoryLayout<EncodedBlock.Entry>.stride }

  /// The source keys must follow those already written.
  mutating func append(_ block: EncodedBlock) throws {
    try file.write(block.frame)
    var entry = block.entry
    entry.offset = UInt64(index.offset)
    index.entries.append(entry)
    index.offset += block.frame.count
    index.runCount += UInt64(entry.runCount)
    let (pairs, overflow) = index.pairCount.addingReportingOverflow(block.pairCount)
    index.pairCount = overflow ? .max : pairs
  }

  /// Waits until the file would survive a power failure.
  consuming func finish() throws -> AssociationSegmentReference {
    let (bytes, checksum) = SegmentLayout.index(index)
    try file.write(bytes)
    try file.sync()
    try OpenFile(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).sync()
    return AssociationSegmentReference(
      name: name,
      length: index.offset + bytes.count,
      checksum: checksum,
      runCount: index.runCount,
      pairCount: index.pairCount,
      firstSourceKey: index.entries.first?.firstSourceKey ?? 0,
      lastSourceKey: index.entries.last?.lastSourceKey ?? 0
    )
  }
}

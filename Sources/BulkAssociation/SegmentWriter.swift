/// Writes blocks to a new segment file.
///
/// Until ``finish()`` has returned, the file is no segment, and nothing may name it.
struct SegmentWriter: ~Copyable {
  private let file: SegmentFile
  private let folder: String
  private let name: String
  private var index: SegmentIndex

  init(_ name: String, in folder: String) throws(AssociationError) {
    let file = try SegmentFile(creating: folder + "/" + name)
    try file.append(SegmentLayout.header())
    self.file = file
    self.folder = folder
    self.name = name
    index = SegmentIndex(offset: SegmentLayout.headerSize)
  }

  var blockCount: Int { index.entries.count }

  /// The bytes that the index takes in memory.
  var memoryUse: Int { index.entries.capacity * MemoryLayout<EncodedBlock.Entry>.stride }

  /// Writes a block, whose source keys follow those written before.
  mutating func append(_ block: EncodedBlock) throws(AssociationError) {
    try file.append(block.frame)
    var entry = block.entry
    entry.offset = UInt64(index.offset)
    index.entries.append(entry)
    index.offset += block.frame.count
    index.runCount += UInt64(entry.runCount)
    let (pairs, overflow) = index.pairCount.addingReportingOverflow(block.pairCount)
    index.pairCount = overflow ? .max : pairs
  }

  /// Writes the index and waits until the file would survive a power cut.
  consuming func finish() throws(AssociationError) -> AssociationSegmentReference {
    let (bytes, checksum) = SegmentLayout.index(index)
    try file.append(bytes)
    try file.synchronize()
    try SegmentFile.synchronizeFolder(folder)
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

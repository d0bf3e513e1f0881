/// Sorted runs of links, one after the other in a file.
///
/// A run is a sequence of blocks: the size of the frame (4 bytes, little-endian), whether the frame is
/// compressed (4 bytes), its checksum (8 bytes), the frame. The content is links in their memory layout,
/// since no other process reads the file.
final class LinkRuns {
  /// The number of runs that are merged at once.
  static let mergedAtOnce = 16
  /// The number of links in a block.
  static let blockLinks = 448

  private let scratch: LinkScratch
  private let file: SegmentFile
  /// The number of bytes written.
  private var size = 0
  /// The location of each run.
  private var extents: [Range<Int>] = []

  init(_ scratch: LinkScratch) throws(AssociationError) {
    self.scratch = scratch
    file = try scratch.makeFile()
  }

  /// The number of runs.
  var count: Int { extents.count }

  /// Adds the links of a run, which must be sorted.
  func append(_ next: () throws(AssociationError) -> Link?) throws(AssociationError) {
    let start = size
    var block: ContiguousArray<Link> = []
    block.reserveCapacity(Self.blockLinks)
    while let link = try next() {
      block.append(link)
      if block.count == Self.blockLinks { try write(&block) }
    }
    if !block.isEmpty { try write(&block) }
    extents.append(start..<size)
  }

  /// Fewer runs, each merged from several of these.
  func merged(_ order: LinkOrder) throws(AssociationError) -> LinkRuns {
    let result = try LinkRuns(scratch)
    var first = 0
    while first < count {
      let last = min(first + Self.mergedAtOnce, count)
      let links = try SortedLinks(merging: readers(first..<last), order)
      try result.append { () throws(AssociationError) in try links.next() }
      first = last
    }
    return result
  }

  /// The cursors that read the runs.
  func readers() -> [LinkRunReader] { readers(0..<count) }

  private func readers(_ runs: Range<Int>) -> [LinkRunReader] {
    extents[runs].map { LinkRunReader(self, $0) }
  }

  private static let headerSize = 16

  private func write(_ links: inout ContiguousArray<Link>) throws(AssociationError) {
    let block = links.withUnsafeBytes { [UInt8]($0) }
    let compressed = scratch.compressor.compress(block)
    let frame = compressed ?? block
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + frame.count)
    bytes.append(littleEndian: UInt32(frame.count))
    bytes.append(littleEndian: UInt32(compressed == nil ? 0 : block.count))
    bytes.append(littleEndian: Checksum.of(frame))
    bytes += frame
    try file.append(bytes)
    size += bytes.count
    links.removeAll(keepingCapacity: true)
  }

  /// The links of the block at an offset, and the offset of the next block.
  fileprivate func block(
    at offset: Int
  ) throws(AssociationError) -> (links: ContiguousArray<Link>, end: Int) {
    let header = try file.read(Self.headerSize, at: offset)
    guard header.count == Self.headerSize else { throw damage(offset, "a block is cut off") }
    let frame = try file.read(Int(header.number(at: 0, as: UInt32.self)), at: offset + header.count)
    guard Checksum.of(frame) == header.number(at: 8, as: UInt64.self) else {
      throw damage(offset, EncodedBlock.Entry.Fault.checksum.rawValue)
    }
    let blockSize = Int(header.number(at: 4, as: UInt32.self))
    let block = blockSize == 0 ? frame : scratch.decompressor.decompress(frame, size: blockSize)
    guard let block, block.count.isMultiple(of: MemoryLayout<Link>.stride) else {
      throw damage(offset, EncodedBlock.Entry.Fault.content.rawValue)
    }
    let count = block.count / MemoryLayout<Link>.stride
    let links = ContiguousArray<Link>(unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).copyBytes(from: block)
      filled = count
    }
    return (links, offset + header.count + frame.count)
  }

  private func damage(_ offset: Int, _ reason: String) -> AssociationError {
    .damaged(path: file.path, offset: offset, reason: reason)
  }
}

/// Reads a run of links from the first to the last, one block at a time.
final class LinkRunReader {
  private let runs: LinkRuns
  private var rest: Range<Int>
  private var links: ContiguousArray<Link> = []
  private var place = 0

  init(_ runs: LinkRuns, _ extent: Range<Int>) {
    self.runs = runs
    rest = extent
  }

  /// The next link; `nil` after the last.
  func next() throws(AssociationError) -> Link? {
    if place == links.count {
      guard !rest.isEmpty else { return nil }
      let (links, end) = try runs.block(at: rest.lowerBound)
      (self.links, place) = (links, 0)
      rest = end..<rest.upperBound
    }
    defer { place += 1 }
    return links[place]
  }
}

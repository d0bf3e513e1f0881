/// Sorted runs of links, one after the other in a file.
///
/// A run is a sequence of blocks: the size of the block (4 bytes, little-endian), zero (4 bytes), its checksum
/// (8 bytes), the block (see ``LinkBlock``).
final class LinkRuns {
  /// The number of runs that are merged at once.
  static let mergedAtOnce = 64

  private static let headerSize = 16

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
    block.reserveCapacity(LinkBlock.capacity)
    while let link = try next() {
      block.append(link)
      if block.count == LinkBlock.capacity { try write(&block) }
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
      let links = try LinkMerge(readers(first..<last), order)
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

  private func write(_ links: inout ContiguousArray<Link>) throws(AssociationError) {
    let block = LinkBlock.encode(links)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + block.count)
    bytes.append(littleEndian: UInt32(block.count))
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: Checksum.of(block))
    bytes += block
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
    let block = try file.read(Int(header.number(at: 0, as: UInt32.self)), at: offset + header.count)
    guard Checksum.of(block) == header.number(at: 8, as: UInt64.self) else {
      throw damage(offset, EncodedBlock.Entry.Fault.checksum.rawValue)
    }
    guard let links = LinkBlock.decode(block) else {
      throw damage(offset, EncodedBlock.Entry.Fault.content.rawValue)
    }
    return (links, offset + header.count + block.count)
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

/// Encodes links as bytes, before they are written.
///
/// Layout: the number of links (4 bytes, little-endian), then a ``BitColumn`` for each of their numbers. Links
/// of a run lie close to each other in some numbers and agree in others, so each takes a few bits.
enum LinkBlock {
  /// The most links in a block.
  static let capacity = 128

  private static let headerSize = 4
  /// The numbers of a link.
  private static let columns = MemoryLayout<Link>.stride / MemoryLayout<Int64>.stride

  static func encode(_ links: ContiguousArray<Link>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + columns * 9 + links.count * 16)
    bytes.append(littleEndian: UInt32(links.count))
    links.withUnsafeBytes { numbers in
      for column in 0..<columns {
        BitColumn.encode(links.count, into: &bytes) {
          numbers.load(fromByteOffset: offset($0, column), as: Int64.self)
        }
      }
    }
    return bytes
  }

  /// The links of a block; `nil` if the bytes are not a block.
  static func decode(_ bytes: [UInt8]) -> ContiguousArray<Link>? {
    let count = Int(bytes.number(at: 0, as: UInt32.self))
    guard bytes.count >= headerSize, (1...capacity).contains(count) else { return nil }
    var isBlock = true
    var end = headerSize
    let links = ContiguousArray<Link>(unsafeUninitializedCapacity: count) { buffer, filled in
      let numbers = UnsafeMutableRawBufferPointer(buffer)
      bytes.withUnsafeBytes { bytes in
        for column in 0..<columns where isBlock {
          isBlock = BitColumn.decode(count, from: bytes, at: &end) {
            numbers.storeBytes(of: $1, toByteOffset: offset($0, column), as: Int64.self)
          }
        }
      }
      filled = isBlock ? count : 0
    }
    return isBlock && end == bytes.count ? links : nil
  }

  /// Where a number of a link lies among those of all links.
  private static func offset(_ link: Int, _ column: Int) -> Int {
    link * MemoryLayout<Link>.stride + column * MemoryLayout<Int64>.stride
  }
}

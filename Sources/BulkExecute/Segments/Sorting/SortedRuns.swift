internal import BulkSupport

/// Sorted runs of entries, one after the other in a file.
///
/// A run is a sequence of blocks: the size of the block (4 bytes, little-endian), zero (4 bytes), its checksum
/// (8 bytes), the block as its entries encode it.
final class SortedRuns<Entry: SortedEntry> {
  static var mergedAtOnce: Int { 64 }

  private static var headerSize: Int { 16 }

  private let scratch: SortScratch
  private let file: OpenFile
  private var size = 0
  private var extents: [Range<Int>] = []

  init(_ scratch: SortScratch) throws {
    self.scratch = scratch
    file = try scratch.makeFile()
  }

  var count: Int { extents.count }

  /// The entries must be sorted.
  func append(_ next: () throws -> Entry?) throws {
    let start = size
    var block: ContiguousArray<Entry> = []
    block.reserveCapacity(Entry.blockCapacity)
    while let entry = try next() {
      block.append(entry)
      if block.count == Entry.blockCapacity { try write(&block) }
    }
    if !block.isEmpty { try write(&block) }
    extents.append(start..<size)
  }

  func merged(_ order: Entry.Order) throws -> SortedRuns {
    let result = try SortedRuns(scratch)
    var first = 0
    while first < count {
      let last = min(first + Self.mergedAtOnce, count)
      let entries = try SortedRunMerge(readers(first..<last), order)
      try result.append { try entries.next() }
      first = last
    }
    return result
  }

  func readers() -> [SortedRunReader<Entry>] { readers(0..<count) }

  private func readers(_ runs: Range<Int>) -> [SortedRunReader<Entry>] {
    extents[runs].map { SortedRunReader(self, $0) }
  }

  private func write(_ entries: inout ContiguousArray<Entry>) throws {
    if scratch.isStopped() { throw AssociationError.stopped }
    let block = Entry.encode(entries)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + block.count)
    bytes.append(littleEndian: UInt32(block.count))
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: Checksum.of(block))
    bytes += block
    try file.write(bytes)
    size += bytes.count
    entries.removeAll(keepingCapacity: true)
  }

  fileprivate func block(
    at offset: Int
  ) throws -> (entries: ContiguousArray<Entry>, end: Int) {
    if scratch.isStopped() { throw AssociationError.stopped }
    let header = try file.read(Self.headerSize, at: offset)
    guard header.count == Self.headerSize else { throw damage(offset, "a block is cut off") }
    let block = try file.read(Int(header.number(at: 0, as: UInt32.self)), at: offset + header.count)
    guard Checksum.of(block) == header.number(at: 8, as: UInt64.self) else {
      throw damage(offset, EncodedBlock.Entry.Fault.checksum.rawValue)
    }
    guard let entries = Entry.decode(block) else {
      throw damage(offset, EncodedBlock.Entry.Fault.content.rawValue)
    }
    return (entries, offset + header.count + block.count)
  }

  private func damage(_ offset: Int, _ reason: String) -> AssociationError {
    .damaged(path: file.path, offset: offset, reason: reason)
  }
}

/// Reads a run from its first entry to the last, one block at a time.
final class SortedRunReader<Entry: SortedEntry> {
  private let runs: SortedRuns<Entry>
  private var rest: Range<Int>
  private var entries: ContiguousArray<Entry> = []
  private var index = 0

  init(_ runs: SortedRuns<Entry>, _ extent: Range<Int>) {
    self.runs = runs
    rest = extent
  }

  func next() throws -> Entry? {
    if index == entries.count {
      guard !rest.isEmpty else { return nil }
      let (entries, end) = try runs.block(at: rest.lowerBound)
      (self.entries, index) = (entries, 0)
      rest = end..<rest.upperBound
    }
    defer { index += 1 }
    return entries[index]
  }
}

/// Merges sorted runs, with a block of each in memory.
final class SortedRunMerge<Entry: SortedEntry> {
  private let order: Entry.Order
  private let readers: [SortedRunReader<Entry>]
  private var heap: MergeHeap<Entry>

  init(_ readers: [SortedRunReader<Entry>], _ order: Entry.Order) throws {
    self.order = order
    self.readers = readers
    heap = MergeHeap(runs: readers.count)
    for (index, reader) in readers.enumerated() {
      if let entry = try reader.next() { heap.add(entry, of: index) }
    }
    heap.arrange { $0.precedes($1, in: order) }
  }

  func next() throws -> Entry? {
    guard let first = heap.first else { return nil }
    heap.replaceFirst(with: try readers[first.run].next()) { $0.precedes($1, in: order) }
    return first.element
  }
}

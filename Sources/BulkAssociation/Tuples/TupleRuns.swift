/// Sorted runs of tuples, one after the other in a file.
///
/// A run is a sequence of blocks: the number of tuples (8 bytes, little-endian), their checksum (8 bytes), the
/// tuples (32 bytes each, in the byte order of the machine).
final class TupleRuns {
  /// The number of runs that are merged at once.
  static let mergedAtOnce = 64

  private static let headerSize = 16
  private static let blockCapacity = 256

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

  /// Adds the tuples of a run, which must be sorted.
  func append(
    _ next: () throws(AssociationError) -> NumberTuple?
  ) throws(AssociationError) {
    let start = size
    var block: ContiguousArray<NumberTuple> = []
    block.reserveCapacity(Self.blockCapacity)
    while let tuple = try next() {
      block.append(tuple)
      if block.count == Self.blockCapacity { try write(&block) }
    }
    if !block.isEmpty { try write(&block) }
    extents.append(start..<size)
  }

  /// Fewer runs, each merged from several of these.
  func merged() throws(AssociationError) -> TupleRuns {
    let result = try TupleRuns(scratch)
    var first = 0
    while first < count {
      let last = min(first + Self.mergedAtOnce, count)
      let tuples = try TupleMerge(readers(first..<last))
      try result.append { () throws(AssociationError) in try tuples.next() }
      first = last
    }
    return result
  }

  /// The cursors that read the runs.
  func readers() -> [TupleRunReader] { readers(0..<count) }

  private func readers(_ runs: Range<Int>) -> [TupleRunReader] {
    extents[runs].map { TupleRunReader(self, $0) }
  }

  private func write(_ block: inout ContiguousArray<NumberTuple>) throws(AssociationError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + block.count * MemoryLayout<NumberTuple>.stride)
    bytes.append(littleEndian: UInt64(block.count))
    block.withUnsafeBytes { tuples in
      bytes.append(littleEndian: Checksum.of(tuples))
      bytes += tuples
    }
    try file.append(bytes)
    size += bytes.count
    block.removeAll(keepingCapacity: true)
  }

  /// The tuples of the block at an offset, and the offset of the next block.
  fileprivate func block(
    at offset: Int
  ) throws(AssociationError) -> (tuples: ContiguousArray<NumberTuple>, end: Int) {
    let header = try file.read(Self.headerSize, at: offset)
    let count = header.number(at: 0, as: UInt64.self)
    guard header.count == Self.headerSize, (1...UInt64(Self.blockCapacity)).contains(count) else {
      throw damage(offset, "a block is cut off")
    }
    let length = Int(count) * MemoryLayout<NumberTuple>.stride
    let bytes = try file.read(length, at: offset + header.count)
    guard bytes.count == length, Checksum.of(bytes) == header.number(at: 8, as: UInt64.self) else {
      throw damage(offset, EncodedBlock.Entry.Fault.checksum.rawValue)
    }
    let tuples = ContiguousArray<NumberTuple>(unsafeUninitializedCapacity: Int(count)) {
      UnsafeMutableRawBufferPointer($0).copyBytes(from: bytes)
      $1 = Int(count)
    }
    return (tuples, offset + header.count + length)
  }

  private func damage(_ offset: Int, _ reason: String) -> AssociationError {
    .damaged(path: file.path, offset: offset, reason: reason)
  }
}

/// Reads a run of tuples from the first to the last, one block at a time.
final class TupleRunReader {
  private let runs: TupleRuns
  private var rest: Range<Int>
  private var tuples: ContiguousArray<NumberTuple> = []
  private var place = 0

  init(_ runs: TupleRuns, _ extent: Range<Int>) {
    self.runs = runs
    rest = extent
  }

  /// The next tuple; `nil` after the last.
  func next() throws(AssociationError) -> NumberTuple? {
    if place == tuples.count {
      guard !rest.isEmpty else { return nil }
      let (tuples, end) = try runs.block(at: rest.lowerBound)
      (self.tuples, place) = (tuples, 0)
      rest = end..<rest.upperBound
    }
    defer { place += 1 }
    return tuples[place]
  }
}

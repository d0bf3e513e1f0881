internal import BulkSupport

/// A finished segment file, open for reading; see `SegmentLayout` for its format.
///
/// Opening verifies everything but the blocks, which are verified whenever they are read.
package struct AssociationSegment: ~Copyable {
  private let file: OpenFile
  let entries: [EncodedBlock.Entry]
  package let runCount: UInt64
  package let pairCount: UInt64
  /// Of the index, which covers every block.
  package let checksum: UInt64

  package init(path: String) throws {
    let file = try Self.file(path)
    let size = Int(try file.status().st_size)
    guard size >= SegmentLayout.leastSize else {
      throw AssociationError.truncated(path: path, length: size, expected: SegmentLayout.leastSize)
    }
    if let fault = SegmentLayout.fault(ofHeader: try file.read(SegmentLayout.headerSize, at: 0)) {
      throw AssociationError.notASegment(path: path, reason: fault)
    }
    let trailerOffset = size - SegmentLayout.trailerSize
    let trailer = try file.read(SegmentLayout.trailerSize, at: trailerOffset)
    guard let offset = SegmentLayout.indexOffset(inTrailer: trailer, of: size) else {
      let reason = "the end mark is missing; the file was cut off or never finished"
      throw AssociationError.damaged(path: path, offset: trailerOffset, reason: reason)
    }
    let frame = try file.read(size - offset, at: offset)
    guard let (index, checksum) = SegmentLayout.index(in: frame) else {
      let reason = "the index is not as it was written"
      throw AssociationError.damaged(path: path, offset: offset, reason: reason)
    }
    self.file = file
    entries = index.entries
    runCount = index.runCount
    pairCount = index.pairCount
    self.checksum = checksum
  }

  package init(
    _ reference: AssociationSegmentReference,
    in folder: String
  ) throws {
    let path = folder + "/" + reference.name
    let size = Int(try Self.file(path).status().st_size)
    guard size >= reference.length else {
      throw AssociationError.truncated(path: path, length: size, expected: reference.length)
    }
    guard size == reference.length else {
      let reason = "it has \(size) bytes instead of \(reference.length)"
      throw AssociationError.replaced(path: path, reason: reason)
    }
    let segment = try AssociationSegment(path: path)
    guard segment.checksum == reference.checksum else {
      throw AssociationError.replaced(path: path, reason: "its checksum is another")
    }
    self = segment
  }

  private static func file(_ path: String) throws -> OpenFile {
    // A named pipe must not be waited for.
    try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  }

  /// Every changed byte is found.
  package func verify(isStopped: () -> Bool = { false }) throws {
    let decompressor = try BlockDecompressor()
    for block in entries.indices {
      if isStopped() { throw AssociationError.stopped }
      _ = try runs(ofBlock: block, with: decompressor)
    }
  }

  func runs(
    ofBlock block: Int,
    with decompressor: borrowing BlockDecompressor
  ) throws -> [AssociationRun] {
    let entry = entries[block]
    let offset = Int(entry.offset)
    switch entry.runs(of: try file.read(Int(entry.frameSize), at: offset), with: decompressor) {
    case .success(let runs): return runs
    case .failure(let fault):
      throw AssociationError.damaged(path: file.path, offset: offset, reason: fault.rawValue)
    }
  }
}

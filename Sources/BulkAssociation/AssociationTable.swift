/// The associations of one entity mapping: source keys and their destination keys, complete.
///
/// The segments come first; the blocks that never had to leave memory hold the greater source keys.
package struct AssociationTable: Sendable {
  /// The folder of the segments.
  package let folder: String
  /// The segments in the order of their source keys.
  package let segments: [AssociationSegmentReference]
  let blocks: [EncodedBlock]

  /// A table whose associations are all in segments, as a checkpoint names them.
  package init(segments: [AssociationSegmentReference], in folder: String) {
    self.init(folder: folder, segments: segments, blocks: [])
  }

  init(folder: String, segments: [AssociationSegmentReference], blocks: [EncodedBlock]) {
    self.folder = folder
    self.segments = segments
    self.blocks = blocks
  }

  /// The number of pairs of keys; the greatest number if there are more.
  package var pairCount: UInt64 {
    (segments.map(\.pairCount) + blocks.map(\.pairCount)).reduce(0) { sum, count in
      let (pairs, overflow) = sum.addingReportingOverflow(count)
      return overflow ? .max : pairs
    }
  }

  /// The bytes that the table takes in memory.
  package var memoryUse: Int { blocks.reduce(0) { $0 + $1.memoryUse } }
}

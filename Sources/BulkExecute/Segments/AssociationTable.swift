internal import BulkSupport

/// The associations of one entity mapping: source keys and their destination keys, complete.
///
/// The segments come first; the blocks that stayed in memory hold the greater source keys.
package struct AssociationTable: Sendable {
  package let folder: String
  /// In source-key order.
  package let segments: [AssociationSegmentReference]
  let blocks: [EncodedBlock]

  /// As recorded in a checkpoint.
  package init(segments: [AssociationSegmentReference], in folder: String) {
    self.init(folder: folder, segments: segments, blocks: [])
  }

  init(folder: String, segments: [AssociationSegmentReference], blocks: [EncodedBlock]) {
    self.folder = folder
    self.segments = segments
    self.blocks = blocks
  }

  func removeSegments() {
    for segment in segments { _ = unsafe unlink("\(folder)/\(segment.name)") }
  }
}

/// The record of a segment in a checkpoint: enough to find it and to verify its identity.
package struct AssociationSegmentReference: Hashable, Sendable, Codable {
  package let name: String
  /// In bytes.
  package let length: Int
  /// Of the index, which covers every block.
  package let checksum: UInt64
  package let runCount: UInt64
  /// The greatest number if there are more.
  package let pairCount: UInt64
  let firstSourceKey: Int64
  package let lastSourceKey: Int64
}

/// Consecutive source keys with consecutive destination keys.
///
/// An association table is a sequence of runs in source-key order. A kept range of keys is one run
/// however long it is; a single pair is a run of length one. A source key with several destinations
/// occurs in several runs, and only as the last key of one and the first of the next.
package struct AssociationRun: Hashable, Sendable {
  package let sourceKey: Int64
  package let destinationKey: Int64
  /// The number of keys, at least one.
  package let length: Int64

  package init(sourceKey: Int64, destinationKey: Int64, length: Int64 = 1) {
    self.sourceKey = sourceKey
    self.destinationKey = destinationKey
    self.length = length
  }

  package var lastSourceKey: Int64 { sourceKey + (length - 1) }

  package var lastDestinationKey: Int64 { destinationKey + (length - 1) }

  package func destinationKey(of key: Int64) -> Int64 { destinationKey + (key - sourceKey) }

  /// All keys must fit into 64 bits.
  var isValid: Bool {
    length > 0
      && !sourceKey.addingReportingOverflow(length - 1).overflow
      && !destinationKey.addingReportingOverflow(length - 1).overflow
  }

  /// `nil` if the other run does not continue this one on both sides.
  func joined(with next: AssociationRun) -> AssociationRun? {
    guard lastSourceKey < .max, next.sourceKey == lastSourceKey + 1,
      lastDestinationKey < .max, next.destinationKey == lastDestinationKey + 1
    else { return nil }
    let (sum, overflow) = length.addingReportingOverflow(next.length)
    guard !overflow else { return nil }
    return AssociationRun(
      sourceKey: sourceKey,
      destinationKey: destinationKey,
      length: sum
    )
  }
}

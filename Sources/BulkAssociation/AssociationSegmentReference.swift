/// What a checkpoint keeps of a segment: enough to find it and to know that it is the same.
package struct AssociationSegmentReference: Hashable, Sendable, Codable {
  /// The file's name in its folder.
  package let name: String
  /// The file's size in bytes.
  package let length: Int
  /// The checksum over the index, and through it over every block.
  package let checksum: UInt64
  /// The number of runs.
  package let runCount: UInt64
  /// The number of pairs of keys; the greatest number if there are more.
  package let pairCount: UInt64
  /// The first source key.
  package let firstSourceKey: Int64
  /// The last source key.
  package let lastSourceKey: Int64
}

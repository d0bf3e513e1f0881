/// Consecutive source keys with consecutive destination keys.
///
/// An association table is a sequence of runs in source-key order. A kept range of keys is one run
/// however long it is; a single pair is a run of length one. A source key with several destinations
/// occurs in several runs, and only as the last key of one and the first of the next.
package struct AssociationRun: Hashable, Sendable {
  /// The first source key.
  package let sourceKey: Int64
  /// The destination key of the first source key.
  package let destinationKey: Int64
  /// The number of keys, at least one.
  package let length: Int64

  /// A run from two first keys.
  package init(sourceKey: Int64, destinationKey: Int64, length: Int64 = 1) {
    self.sourceKey = sourceKey
    self.destinationKey = destinationKey
    self.length = length
  }

  /// The last source key.
  package var lastSourceKey: Int64 { sourceKey + (length - 1) }

  /// The last destination key.
  package var lastDestinationKey: Int64 { destinationKey + (length - 1) }

  /// The destination key of a source key in the run.
  package func destinationKey(of key: Int64) -> Int64 { destinationKey + (key - sourceKey) }

  /// Whether the run has keys, all of which fit into 64 bits.
  var isValid: Bool {
    length > 0
      && !sourceKey.addingReportingOverflow(length - 1).overflow
      && !destinationKey.addingReportingOverflow(length - 1).overflow
  }

  /// The run extended by another run, if that continues it on both sides.
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

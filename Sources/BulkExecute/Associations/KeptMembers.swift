/// The source objects of one entity mapping, each with the one that is kept of its group: four bytes for each
/// source key between the least and the greatest.
final class KeptMembers {
  private let firstKey: Int64
  /// For each source key the distance of the kept one, plus 1; 0 for a key that is in no group.
  private var distances: ContiguousArray<UInt32>
  private var slot = 0

  /// `nil` if they take more than some bytes.
  init?(_ keys: ClosedRange<Int64>, within bytes: Int) {
    let (span, overflow) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
    guard !overflow, span < Int64(UInt32.max), span < Int64(bytes / 4) else { return nil }
    firstKey = keys.lowerBound
    distances = ContiguousArray(repeating: 0, count: Int(span) + 1)
  }

  /// Throws ``MigrationError/constraint(_:)`` if the source object did not exist when its table was searched
  /// for its least and greatest key.
  func note(_ sourceKey: Int64, keptWith kept: Int64) throws {
    let (slot, other) = (sourceKey &- firstKey, kept &- firstKey)
    guard let index = Int(exactly: slot), let distance = UInt32(exactly: other),
      distances.indices.contains(index)
    else {
      throw MigrationError.constraint(
        "source object \(sourceKey) is not between the least and the greatest key of its table"
      )
    }
    distances[index] = distance + 1
  }

  func next() -> (sourceKey: Int64, kept: Int64)? {
    while slot < distances.count {
      let distance = distances[slot]
      slot += 1
      guard distance > 0 else { continue }
      return (firstKey + Int64(slot - 1), firstKey + Int64(distance - 1))
    }
    return nil
  }
}

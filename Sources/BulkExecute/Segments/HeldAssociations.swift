/// The associations of a table in memory, looked up key by key in any order.
///
/// The first of several destination keys of a source key counts. Associations that all keep or
/// shift their keys take a bit for each source key between the least and the greatest, all others
/// four bytes.
package struct HeldAssociations {
  private let firstSourceKey: Int64
  /// From the least to the greatest.
  private let count: UInt64
  /// The offset from a source key, or the least destination key less 1.
  private let base: Int64
  private var bits: [UInt64] = []
  /// The distance of each destination key from the base; 0 for none.
  private var distances: [UInt32] = []

  /// `nil` if the table takes more than some bytes.
  package init?(_ table: AssociationTable, within bytes: Int) throws {
    let extent = try Extent(of: table)
    firstSourceKey = extent.sources?.lowerBound ?? 0
    let (span, isTooLong) = extent.span
    guard !isTooLong else { return nil }
    count = span
    if let offset = extent.offset {
      guard count / 8 < bytes else { return nil }
      base = offset
      bits = [UInt64](repeating: 0, count: Int((count + 63) / 64))
    } else {
      let (least, overflow) = extent.destinations.lowerBound.subtractingReportingOverflow(1)
      let (range, isTooFar) =
        extent.destinations.upperBound.subtractingReportingOverflow(least)
      guard count < UInt64(max(bytes, 0)) / 4, !overflow, !isTooFar, range <= UInt32.max else {
        return nil
      }
      base = least
      distances = [UInt32](repeating: 0, count: Int(count))
    }
    let reader = try AssociationCursor(table)
    while let runs = try reader.nextRuns() {
      for run in runs {
        if distances.isEmpty { setBits(run) } else { setDistances(run) }
      }
    }
  }

  package var memoryUse: Int {
    bits.count * MemoryLayout<UInt64>.stride + distances.count * MemoryLayout<UInt32>.stride
  }

  /// `nil` if the source key has none.
  @inline(__always)
  package func destinationKey(of key: Int64) -> Int64? {
    let index = UInt64(bitPattern: key &- firstSourceKey)
    guard index < count else { return nil }
    if distances.isEmpty {
      return bits[Int(index >> 6)] & (1 << (index & 63)) == 0 ? nil : key &+ base
    }
    let distance = distances[Int(index)]
    return distance == 0 ? nil : base &+ Int64(distance)
  }

  func hasSourceKeys(of other: HeldAssociations) -> Bool {
    guard count > 0, other.count > 0 else { return false }
    let first = max(firstSourceKey, other.firstSourceKey)
    let last = min(
      firstSourceKey + Int64(count - 1),
      other.firstSourceKey + Int64(other.count - 1)
    )
    return first <= last
      && (first...last).contains {
        destinationKey(of: $0) != nil && other.destinationKey(of: $0) != nil
      }
  }

  private mutating func setBits(_ run: AssociationRun) {
    var index = Int(run.sourceKey - firstSourceKey)
    let end = index + Int(run.length)
    while index < end {
      let (word, bit) = (index >> 6, index & 63)
      let width = min(64 - bit, end - index)
      bits[word] |= (width == 64 ? .max : (1 << UInt64(width)) - 1) << UInt64(bit)
      index += width
    }
  }

  private mutating func setDistances(_ run: AssociationRun) {
    let index = Int(run.sourceKey - firstSourceKey)
    let distance = UInt32(run.destinationKey - base)
    for step in 0..<Int(run.length) where distances[index + step] == 0 {
      distances[index + step] = distance + UInt32(step)
    }
  }
}

extension HeldAssociations {
  private struct Extent {
    /// From the least to the greatest; `nil` if there are none.
    private(set) var sources: ClosedRange<Int64>?
    private(set) var destinations: ClosedRange<Int64> = 0...0
    /// `nil` if the offsets differ.
    private(set) var offset: Int64? = 0

    init(of table: AssociationTable) throws {
      let reader = try AssociationCursor(table)
      while let runs = try reader.nextRuns() {
        for run in runs { add(run) }
      }
    }

    /// From the least to the greatest key, unless that is too large to be held.
    var span: (count: UInt64, isTooLong: Bool) {
      guard let sources else { return (0, false) }
      let (distance, overflow) = sources.upperBound.subtractingReportingOverflow(sources.lowerBound)
      return overflow ? (0, true) : (UInt64(distance) + 1, false)
    }

    private mutating func add(_ run: AssociationRun) {
      let (distance, overflow) = run.destinationKey.subtractingReportingOverflow(run.sourceKey)
      guard let sources else {
        sources = run.sourceKey...run.lastSourceKey
        destinations = run.destinationKey...run.lastDestinationKey
        offset = overflow ? nil : distance
        return
      }
      self.sources = sources.lowerBound...run.lastSourceKey
      let least = min(destinations.lowerBound, run.destinationKey)
      destinations = least...max(destinations.upperBound, run.lastDestinationKey)
      if overflow || offset != distance { offset = nil }
    }
  }
}

/// Assigns every entity mapping a range of keys in its destination table.
///
/// Keys are kept where possible: the first mapping into a table gives its objects the keys of their sources.
/// A mapping whose sources are in the same table shares the range, as long as no object is read twice; any
/// other one gets a range after those before it.
struct InstanceKeys {
  /// The mappings that share a range.
  private struct Range {
    let sourceTable: String
    var sources: Set<String>
    let offset: Int64
  }

  private var ranges: [String: [Range]] = [:]
  /// The highest key of all ranges, by destination table.
  private(set) var highestKeys: [String: Int64] = [:]

  /// The offset of the next mapping into a table; `nil` if no keys are left.
  ///
  /// - Parameters:
  ///   - destination: The destination table.
  ///   - sourceTable: The table of the objects that are read.
  ///   - source: Their entity.
  ///   - keys: The least and the greatest key of the source table.
  /// - Returns: The offset to add to source keys.
  mutating func offset(
    into destination: String,
    from sourceTable: String,
    _ source: String,
    keys: ClosedRange<Int64>
  ) -> Int64? {
    var all = ranges[destination] ?? []
    defer { ranges[destination] = all }
    if let shared = all.firstIndex(where: {
      $0.sourceTable == sourceTable && !$0.sources.contains(source)
    }) {
      all[shared].sources.insert(source)
      return all[shared].offset
    }
    let last = highestKeys[destination] ?? 0
    // Core Data never assigns keys below 1; even then a range begins after the end of the one before it.
    let (offset, isTooFar) = last.subtractingReportingOverflow(min(keys.lowerBound, 1) - 1)
    let (end, isTooLong) = keys.upperBound.addingReportingOverflow(offset)
    guard !isTooFar, !isTooLong else { return nil }
    let own = all.isEmpty ? 0 : offset
    all.append(Range(sourceTable: sourceTable, sources: [source], offset: own))
    highestKeys[destination] = max(last, all.count == 1 ? keys.upperBound : end)
    return own
  }
}

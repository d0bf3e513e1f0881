internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The entity mappings of a mapping model that make objects, each with its range of keys.
struct InstanceMappings: Sendable {
  private(set) var all: [InstanceMapping] = []
  /// By destination table.
  let highestKeys: [String: Int64]
  private(set) var faults: [String] = []

  /// `keysInTable` gives the least and the greatest key of a source table; `nil` for an empty one.
  init<Failure>(
    _ model: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema,
    keysInTable: (String) throws(Failure) -> ClosedRange<Int64>?
  ) throws(Failure) {
    var keys = InstanceKeys()
    var faults: [String] = []
    for (index, mapping) in model.entityMappings.enumerated() {
      func refuse(_ reason: String) { faults.append("entity mapping \(mapping.name): \(reason)") }
      guard let sourceName = mapping.sourceEntityName,
        let destinationName = mapping.destinationEntityName
      else { continue }
      guard let from = source.model.entity(named: sourceName) else {
        refuse("the source has no entity \(sourceName)")
        continue
      }
      guard let to = destination.model.entity(named: destinationName) else {
        refuse("the destination has no entity \(destinationName)")
        continue
      }
      // A mapping reads objects of exactly its entity; an abstract one has none.
      guard !from.isAbstract else { continue }
      guard !to.isAbstract else {
        refuse("entity \(destinationName) is abstract and can have no objects")
        continue
      }
      let sourceTable = source.table(of: from).name
      let table = destination.table(of: to).name
      let found = try keysInTable(sourceTable)
      let isDivided = mapping.elements != nil
      guard
        let offset = isDivided
          ? 0 : keys.offset(into: table, from: sourceTable, sourceName, keys: found ?? 1...1)
      else {
        refuse("no keys are left in table \(table)")
        continue
      }
      all.append(
        InstanceMapping(
          mapping,
          from: (from, source),
          to: (to, destination),
          index: index,
          keyOffset: offset,
          sourceKeys: isDivided ? nil : found
        )
      )
    }
    (highestKeys, self.faults) = (keys.highestKeys, faults)
    let made = all
    for position in all.indices {
      let first = made.first { $0.shares(with: made[position]) }
      if let first { all[position].firstSharing = first.index }
    }
  }
}

/// Assigns every entity mapping a range of keys in its destination table.
///
/// Keys are kept where possible: the first mapping into a table gives its objects the keys of their sources.
/// A mapping whose sources are in the same table shares the range, as long as no object is read twice; any
/// other one gets a range after those before it.
struct InstanceKeys {
  private struct Range {
    let sourceTable: String
    var sources: Set<String>
    let offset: Int64
  }

  private var ranges: [String: [Range]] = [:]
  /// By destination table.
  private(set) var highestKeys: [String: Int64] = [:]

  /// The offset that the next mapping into a table adds to the keys of an entity's objects; `nil` if no keys
  /// are left.
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
    // Core Data never assigns keys below 1; even then a range begins after the end of the one
    // before it.
    let last = highestKeys[destination]
    let distance = last.map { Int128($0) + 1 - Int128(min(keys.lowerBound, 1)) } ?? 0
    guard let offset = Int64(exactly: distance),
      let end = Int64(exactly: Int128(keys.upperBound) + distance)
    else { return nil }
    all.append(Range(sourceTable: sourceTable, sources: [source], offset: offset))
    highestKeys[destination] = max(last ?? 0, end)
    return offset
  }
}

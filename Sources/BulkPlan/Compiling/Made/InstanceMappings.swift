package import BulkMapping
package import BulkModel
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
          index: index,
          mapping: mapping,
          source: from,
          sourceNumber: source.numbering.number(of: sourceName),
          sourceTable: sourceTable,
          destination: to,
          destinationNumber: destination.numbering.number(of: destinationName),
          destinationTable: table,
          keyOffset: offset,
          sourceKeys: isDivided ? nil : found,
          firstSharing: index
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

/// An entity mapping that makes objects, with its entities and the keys that it gives.
package struct InstanceMapping: Sendable {
  /// It identifies the association table.
  package let index: Int
  package let mapping: EntityMapping
  package let source: EntityDescription
  package let sourceNumber: Int64
  package let sourceTable: String
  package let destination: EntityDescription
  package let destinationNumber: Int64
  package let destinationTable: String
  /// Added to a source key to get that of its object, where that follows from it.
  package let keyOffset: Int64
  /// `nil` if the keys of its objects do not follow from them, if they are not known, or there are none.
  package let sourceKeys: ClosedRange<Int64>?
  package fileprivate(set) var firstSharing: Int

  /// `nil` where ``sourceKeys`` is.
  package var keys: ClosedRange<Int64>? {
    sourceKeys.map { $0.lowerBound + keyOffset...$0.upperBound + keyOffset }
  }

  package var hasPolicy: Bool { mapping.entityMigrationPolicyClassName != nil }

  /// Where associations do not follow from the keys alone.
  package var isRecorded: Bool {
    mapping.filter != nil || hasPolicy || isMerging || isDividing
  }

  /// Whether every source object becomes an object.
  package var isSure: Bool { mapping.filter == nil && !hasPolicy && !isDividing }

  /// Whether several source objects may become one object.
  package var isMerging: Bool { mapping.uniqueness != nil }

  /// Whether a source object may become any number of objects.
  package var isDividing: Bool { mapping.elements != nil }
  package var derivesKeys: Bool { !hasPolicy && !isDividing }

  /// `nil` if the key exceeds all keys.
  package func derivedKey(of source: Int64) -> Int64? {
    let (key, isTooFar) = source.addingReportingOverflow(keyOffset)
    return isTooFar ? nil : key
  }

  /// `nil` if the key exceeds all keys.
  package func sourceKey(ofDerived key: Int64) -> Int64? {
    let (source, isTooFar) = key.subtractingReportingOverflow(keyOffset)
    return isTooFar ? nil : source
  }

  package func shares(with other: InstanceMapping) -> Bool {
    guard let rule = mapping.uniqueness, let theirs = other.mapping.uniqueness else { return false }
    return destination.name == other.destination.name && rule.isShared(with: theirs)
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

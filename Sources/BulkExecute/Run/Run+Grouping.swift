internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

extension Run {
  /// Finds which source objects become one object, before any of their objects is made; in the order in which the entity
  /// mappings run that share them.
  ///
  /// The values by which objects are found are read for every source object and sorted; of those that
  /// agree one is kept. Sorted back, all of them are associated with the object that will be made
  /// from it. An interrupted search is restarted: the association tables are saved when they are
  /// complete.
  func findGroups(_ creations: [InstanceCreation]) throws {
    guard let grouping = creations.first?.grouping else { return }
    let groups = ObjectGroups(
      keeping: grouping.kept,
      isNilDistinct: grouping.isNilDistinct,
      in: associations.scratch(),
      noting: memberIndexes(of: creations)
    )
    for creation in creations {
      tallies.begin(creation.mapping.mapping.name)
      try add(creation, to: groups)
      tallies.end()
    }
    try associate(groups, creations)
  }

  /// `nil` where groups must be sorted back.
  private func memberIndexes(of creations: [InstanceCreation]) -> KeptMembers? {
    guard creations.count == 1, let keys = creations[0].mapping.sourceKeys else { return nil }
    return KeptMembers(keys, within: associations.memoryLeft)
  }

  private func associate(
    _ groups: ObjectGroups,
    _ creations: [InstanceCreation]
  ) throws {
    let following = try groups.members()
    var next = try following()
    for (number, creation) in creations.enumerated() {
      let index = creation.mapping.index
      var outcome = MemberOutcome()
      try associations.begin(index)
      var refused: Int64 = 0
      while let member = next, member.mapping == number {
        if !member.isKept, creation.grouping?.kept == .quarantine {
          try refuse(member, creation.mapping)
          refused += 1
        } else {
          try associations.append(member.sourceKey, member.object)
          outcome.count(member)
        }
        next = try following()
      }
      try associations.finish(index)
      tallies.begin(creation.mapping.mapping.name)
      tallies.note {
        ($0.made, $0.merged) = outcome.ended()
        $0.refused += refused
      }
      tallies.end()
      try report()
    }
  }

  /// Reports a source object that agrees with one before it, where that violates a rule.
  private func refuse(_ member: ObjectGroups.Member, _ mapping: InstanceMapping) throws {
    try violations.add(
      Violation(
        entity: mapping.mapping.name,
        key: member.sourceKey,
        origin: mapping.origin(of: member.sourceKey),
        property: mapping.mapping.uniqueness?.attributes.joined(separator: ", ") ?? "",
        rule: Violation.duplicateRule,
        value: "\(mapping.destination.name) \(member.object)"
      )
    )
  }

  private func add(
    _ creation: InstanceCreation,
    to groups: ObjectGroups
  ) throws {
    guard let grouping = creation.grouping, let values = creation.ofGroupedValues else { return }
    let mapping = creation.mapping
    guard mapping.isDividing else {
      groups.begin(.shifted(by: mapping.keyOffset))
      let isTransfer = values.isTransfer
      return try isTransfer
        ? addTransferred(values, grouping.columns, to: groups)
        : addEvaluated(values, grouping.columns, to: groups)
    }
    let (table, before) = (mapping.destinationTable, groups.count)
    guard let firstKey = nextKey(in: table) else {
      throw MigrationError.constraint("no keys are left in table \(table)")
    }
    associations.firstKeys[mapping.index] = firstKey
    groups.begin(.new(from: firstKey))
    try addEvaluated(values, grouping.columns, to: groups)
    guard newKeys(Int64(groups.count - before), in: table) != nil else {
      throw MigrationError.constraint("no keys are left in table \(table)")
    }
  }

  private func addTransferred(
    _ creation: InstanceCreation,
    _ columns: [String],
    to groups: ObjectGroups
  ) throws {
    let rows = try SourceRows(
      of: creation.transfer,
      values: columns.map { creation.transfer.value(of: $0) },
      session
    )
    try eachRange(of: creation.mapping.sourceTable) { range in
      try rows.start(range)
      while let row = try rows.nextDigest() { try groups.add(row.key, row.digest) }
      try report()
    }
  }

  private func addEvaluated(
    _ creation: InstanceCreation,
    _ columns: [String],
    to groups: ObjectGroups
  ) throws {
    let shape = EntityRowShape(creation.mapping.destination, in: work.destination)
    let mapped = try rowReader(creation)
    let numbers = columns.compactMap { shape.columns.firstIndex(of: $0) }
    var row = EntityRow(shape)
    func add(_ source: MappedRow) throws {
      try source.fillAttributes(of: &row)
      try groups.add(source.sourceKey, GroupDigest(of: numbers.map { row.values[$0] }))
    }
    try eachRange(of: creation.mapping.sourceTable) { range in
      if creation.mapping.isDividing {
        try mapped.elements(in: range, among: nil) { element, _ in try add(element) }
      } else {
        try mapped.rows(in: range) { try add($0) }
      }
      try report()
    }
  }
}

/// Counts the source objects from which an object is made, and those that are merged into others.
private struct MemberOutcome {
  private var made: Int64 = 0
  private var merged: Int64 = 0
  private var current: (sourceKey: Int64, isMade: Bool)?

  /// An element of a source object counts with it.
  mutating func count(_ member: ObjectGroups.Member) {
    if let known = current, known.sourceKey == member.sourceKey {
      current = (known.sourceKey, known.isMade || member.isKept)
    } else {
      end()
      current = (member.sourceKey, member.isKept)
    }
  }

  mutating func ended() -> (made: Int64, merged: Int64) {
    end()
    return (made, merged)
  }

  private mutating func end() {
    guard let current else { return }
    if current.isMade { made += 1 } else { merged += 1 }
    self.current = nil
  }
}

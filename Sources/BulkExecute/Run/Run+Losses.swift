internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

// The end of the ledger of a migration: the losses that the plan could not count, and the account of every source row.

extension Run {
  /// Throws ``MigrationError/unaccountedRows(_:path:)`` if rows that were read are neither made, merged,
  /// filtered nor rejected, or if nothing read them.
  func losses() throws -> [MigrationPlan.Loss] {
    let counts = lossCounts(state.rejected)
    guard !counts.isEmpty else {
      try refuseUnaccounted()
      guard work.made != nil, ledger != nil else {
        return migration.plan.losses + rejectedLinks()
      }
      return Ledger.sorted(known)
    }
    try session.transactions.batch { try refuseUnaccounted() }
    let all = Ledger.sorted(known + (try countLosses(counts)))
    return migration.plan.naming(elsewhere: all, in: work.layout.schema.model)
  }

  /// The counts of losses that only made objects show; objects that are left out make more.
  func lossCounts(_ rejected: RunState.Rejected?) -> [MadeLedger.Count] {
    guard let ledger else { return [] }
    return ledger.counts(lookup, knowledge(of: rejected)) + mergedCounts(of: rejected)
      + unmappedCounts(hasRejects: rejected != nil)
  }

  /// Counts what an interrupted run has not counted, in ranges of the keys of source rows.
  ///
  /// Each range is a transaction, so that an interrupted run goes on after the last one.
  private func countLosses(_ counts: [MadeLedger.Count]) throws -> [MigrationPlan.Loss] {
    let transactions = session.transactions
    let tables = counts.tables
    meter.beginCounting(scans: tables.count)
    var isPrepared = false
    if state.lossCounts.count != counts.count { state.lossCounts = counts.map { _ in [] } }
    for table in tables {
      try eachRange(of: table) { keys in
        if !isPrepared, !transactions.isReplaying {
          try listAssociations(ledger?.listed(knowledge(of: state.rejected)) ?? [])
          isPrepared = true
        }
        try transactions.batch {
          for (index, count) in counts.enumerated() where count.table == table {
            let found = try count.numbers(keys)
            let former = state.lossCounts[index]
            state.lossCounts[index] = former.isEmpty ? found : zip(former, found).map { $0 + $1 }
          }
        }
        try report(.losses)
      }
    }
    var result: [MigrationPlan.Loss] = []
    for (count, numbers) in zip(counts, state.lossCounts) where !numbers.isEmpty {
      result += try count.losses(numbers)
    }
    return result.filter { $0.count > 0 }
  }

  private var known: [MigrationPlan.Loss] {
    migration.plan.losses.filter { !isCounted($0) } + unmade()
  }

  /// The first ten objects that lose a link, by the relationship.
  func firstLostLinks() throws -> [String: [(entity: String, key: Int64)]] {
    try ledger?.first(10, lookup, knowledge(of: state.rejected)) ?? [:]
  }

  /// Links to objects that were left out, and CloudKit's records of them, where rows keep their keys.
  private func rejectedLinks() -> [MigrationPlan.Loss] {
    (state.rejected?.links ?? [:]).filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
      owner,
      count in
      MigrationPlan.Loss(
        MirroringTables.contains(owner) ? .mirroring : .links,
        owner,
        count,
        by: .rejected,
        reason: MadeLedger.leftOut,
        step: migration.plan.losses.last?.step ?? 1
      )
    }
  }

  private func listAssociations(_ mappings: [InstanceMapping]) throws {
    let listed = ListedAssociations(session, by: .source)
    try listed.makeTable()
    try session.together {
      for mapping in mappings {
        // Keys of objects in other tables are not those of its rows.
        let own = work.destination.entityNumbers(
          in: work.destination.table(of: mapping.destination)
        )
        func add(_ number: Int, ofOwn isOwn: Bool) throws {
          try listed.add(number) { add in
            try associations.pairs(of: mapping) { source, object, entity in
              if own.contains(entity) == isOwn { try add(source, object) }
            }
          }
        }
        try add(mapping.index, ofOwn: true)
        if mapping.hasPolicy { try add(mapping.otherNumber, ofOwn: false) }
        if state.rejected != nil {
          try listed.add(mapping.otherNumber) { add in
            try violations.each(from: 0) { violation in
              guard let origin = violation.origin, origin.entity == mapping.source.name else {
                return
              }
              try add(origin.key, violation.key)
            }
          }
        }
      }
    }
  }

  private func knowledge(of rejected: RunState.Rejected?) -> MadeLedger.Knowledge {
    let forgetful = work.instances.creations.map(\.mapping).filter {
      $0.hasPolicy && tallies[$0.mapping.name].unassociated != nil
    }
    return MadeLedger.Knowledge(
      readPaths: readPaths,
      unassociated: Dictionary(
        forgetful.map { ($0.sourceNumber, $0.mapping.entityMigrationPolicyClassName ?? "") }
      ) { first, _ in first },
      rejected: rejected?.links,
      countsUnmapped: !unmappedCounts(hasRejects: rejected != nil).isEmpty,
      isFirstLeg: !migration.isLaterLeg
    )
  }

  /// Counts source objects that share an object that is left out, and are not in the files of rejects themselves.
  private func mergedCounts(of rejected: RunState.Rejected?) -> [MadeLedger.Count] {
    guard let rejected else { return [] }
    let key = ColumnExpression.column("Z_PK")
    return creationsBySource.compactMap { source, creations in
      let merging = creations.map(\.mapping).filter {
        $0.isMerging && rejected.highestKeys[$0.destinationTable] != nil
      }
      guard !merging.isEmpty else { return nil }
      // What another mapping took is made, or in the files of rejects.
      let made = creations.map { $0.mapping.isMerging ? $0.mapping.whereMade(from: key) : $0.took }
      let conditions: [ColumnExpression] = [
        .none(made + merging.map { [.matches(.association(of: key, under: $0.otherNumber))] }),
        .any(merging.map { [.matches(.association(of: key, under: $0.index))] }),
      ]
      return count(creations[0].mapping, where: conditions) { count in
        .init(
          .objects,
          source,
          count,
          by: .rejected,
          reason: "they are the same as an object that is left out"
        )
      }
    }
  }

  /// Counts source objects that several entity mappings read and that became nothing.
  ///
  /// Where filters that SQL tests leave them out, the plan has counted them.
  private func unmappedCounts(hasRejects: Bool) -> [MadeLedger.Count] {
    let key = ColumnExpression.column("Z_PK")
    return creationsBySource.compactMap { source, creations in
      let filtered = filteredAtMost.first { $0.owner == source }
      let areRejected = creations.contains { tally($0).rejected > 0 }
      guard creations.count > 1, areRejected || filtered != nil,
        let most = creations.map({ tally($0).rejected + self.filtered(by: $0) }).min(), most > 0
      else { return nil }
      let taken = creations.map {
        $0.isKnown || $0.mapping.hasPolicy || hasRejects ? $0.took : $0.mapping.whereMade(from: key)
      }
      let rejected = creations.map { creation -> [ColumnExpression] in
        [.matches(.association(of: key, under: creation.mapping.otherNumber))]
      }
      let isBound = creations.contains { tally($0).unassociated != nil }
      return count(creations[0].mapping, where: [.none(taken + (hasRejects ? rejected : []))]) {
        [self] count in
        let known = known.filter { $0.cause == .filtered && $0.owner == source }
          .reduce(0) { $0 + $1.count }
        return .init(
          .objects,
          source,
          max(0, min(count, most) - known),
          isUpperBound: isBound,
          by: .filtered,
          reason: areRejected ? "no entity mapping makes anything of them" : filtered?.reason ?? "",
          step: filtered?.step ?? 1
        )
      }
    }
  }

  /// Counts objects of the source entity of a mapping that satisfy conditions.
  private func count(
    _ mapping: InstanceMapping,
    where conditions: [ColumnExpression],
    _ loss: @escaping (Int64) -> MigrationPlan.Loss
  ) -> MadeLedger.Count {
    MadeLedger.Count(mapping.sourceTable) { [lookup] keys throws(StoreError) in
      try lookup.counts(
        in: mapping.sourceTable,
        where: [.entityIn([mapping.sourceNumber])] + conditions,
        valuesIn: [],
        within: keys
      )
    } losses: {
      [loss($0[0])]
    }
  }

  /// By the name of the source entity.
  private var creationsBySource: [(key: String, value: [InstanceCreation])] {
    Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
      .sorted { $0.key < $1.key }
  }

  private func tally(_ creation: InstanceCreation) -> RowTally {
    tallies[creation.mapping.mapping.name]
  }

  private func filtered(by creation: InstanceCreation) -> Int64 {
    tally(creation).filtered + leftOut(by: creation)
  }

  private func isCounted(_ loss: MigrationPlan.Loss) -> Bool {
    guard loss.kind != .links else { return true }
    return switch loss.cause {
    case .target: true
    case .overlooked: loss.isUpperBound == true || state.rejected != nil
    case .filtered: loss.isUpperBound == true
    case .policy:
      loss.kind == .values && readPaths.contains(loss.owner) || countsAgain(loss)
    case .removed: countsAgain(loss)
    case .narrowed, .leftBehind, .rejected, .elsewhere, .stray, .missingFile: false
    }
  }

  private func countsAgain(_ loss: MigrationPlan.Loss) -> Bool {
    guard loss.isUpperBound == true, let ledger else { return false }
    return ledger.countsAgain(loss, knowledge(of: state.rejected))
  }

  /// The key paths that policies read, each behind the name of the entity whose objects the policy gets.
  private var readPaths: Set<String> {
    Set(
      work.instances.creations.flatMap { creation in
        tally(creation).readAttributes.map { "\(creation.mapping.source.name).\($0)" }
      }
    )
  }

  /// The objects that the plan knows only filters which have to be evaluated to leave out.
  private var filteredAtMost: [MigrationPlan.Loss] {
    migration.plan.losses.filter {
      $0.cause == .filtered && $0.isUpperBound == true && $0.reason != MadeLedger.noElement
    }
  }

  /// The source objects that became nothing, where one entity mapping reads them.
  private func unmade() -> [MigrationPlan.Loss] {
    creationsBySource.filter { $0.value.count == 1 }.flatMap { source, creations in
      let policy = creations[0].mapping.mapping.entityMigrationPolicyClassName
      var filtered = filteredAtMost.filter { $0.owner == source }
      for index in filtered.indices {
        filtered[index].count = self.filtered(by: creations[0])
        filtered[index].isUpperBound = nil
      }
      return filtered + [
        MigrationPlan.Loss(
          .objects,
          source,
          tally(creations[0]).rejected,
          by: policy == nil ? .filtered : .policy,
          reason: policy.map { "policy \($0) made nothing of them" } ?? MadeLedger.noElement
        )
      ]
    }.filter { $0.count > 0 }
  }

  private func refuseUnaccounted() throws {
    let creations = work.instances.creations
    let reasons =
      creations.compactMap(difference) + (try unread())
      + (try Ledger.unaccounted(by: migration.plan.losses, in: work, trace))
    guard reasons.isEmpty else {
      throw MigrationError.unaccountedRows(reasons, path: work.store.path)
    }
  }

  /// `nil` if the rows of a mapping balance.
  private func difference(_ creation: InstanceCreation) -> String? {
    let name = creation.mapping.mapping.name
    let tally = tallies[name]
    let rows = rows(of: name)
    let left = leftOut(by: creation)
    let became =
      !creation.mapping.derivesKeys
      ? tally.made + tally.merged + tally.rejected + tally.refused
      : tally.written + tally.merged + tally.refused
    guard rows != became + tally.filtered + left else { return nil }
    return "entity mapping \(name) reads \(rows) rows of \(creation.mapping.source.name), of which "
      + "\(became - tally.merged - tally.rejected - tally.refused) became objects, \(tally.merged) were merged, "
      + "\(tally.filtered + left) left out by the filter and \(tally.rejected + tally.refused) by the policy"
  }

  /// Empty if all rows of the source were read or counted as lost.
  private func unread() throws -> [String] {
    let planned = migration.plan.losses.filter {
      $0.kind == .objects && [.removed, .elsewhere].contains($0.cause)
    }.reduce(0) { $0 + $1.count }
    let (store, tables) = (work.store, work.layout.schema.entityTables.map(\.name))
    guard try tables.reduce(0, { $0 + (try store.mostRows(in: $1)) }) > read + planned else {
      return []
    }
    let rows = try tables.reduce(0) { $0 + (try store.rows(in: $1)) }
    guard rows > read + planned else { return [] }
    return [
      "the source has \(rows) objects, of which \(read) were read and \(planned) are counted as removed"
    ]
  }

  /// Each source row counts once.
  private var read: Int64 {
    guard let made = work.made else {
      return work.transfers.entityRows.reduce(0) { $0 + tallies[$1.destination].written }
    }
    let bySource = Dictionary(grouping: made.creations, by: \.mapping.source.name)
    return bySource.values.reduce(0) { $0 + rows(of: $1[0].mapping.mapping.name) }
  }

  /// As counted when the migration was planned.
  private func rows(of mapping: String) -> Int64 {
    change(of: mapping)?.rows ?? 0
  }

  private func leftOut(by creation: InstanceCreation) -> Int64 {
    change(of: creation.mapping.mapping.name)?.rowsLeftOut ?? 0
  }

  private func change(of mapping: String) -> MigrationPlan.EntityChange? {
    migration.plan.passes.lazy.flatMap(\.entities).first { $0.mapping == mapping }
  }
}

extension [MadeLedger.Count] {
  var tables: [String] {
    reduce(into: []) { if !$0.contains($1.table) { $0.append($1.table) } }
  }
}

internal import BulkMapping
internal import BulkModel
package import BulkStore

/// Lists the losses of a store's migration, step by step.
package struct Ledger {
  /// The losses, by step, then by kind.
  private(set) var losses: [MigrationPlan.Loss] = []
  /// The number of objects that the SQL conditions of each entity mapping exclude, by its name.
  private(set) var leftOut: [String: Int64] = [:]
  /// The owners of the losses that were added, by what they are without their counts.
  private var owners: [MigrationPlan.Loss: Int] = [:]

  init(
    _ trace: LossTrace,
    _ work: MigrationWork,
    _ counter: SourcePartCounter,
    missing: [MissingExternalFiles]
  ) throws {
    let account = SourceAccount(work, trace)
    try add(Self.objects(trace, work) + account.columns(), counter)
    try addFiltered(work, trace, counter)
    try addDivided(work, counter)
    if work.made == nil {
      try addLinks(account.links(), work, counter)
    } else {
      for loss in try MadeLedger(work, trace, account).foreseen(counter) { add(loss) }
      for (owner, lost) in try narrowed(work) {
        addNarrowed(owner, lost.left, isUpperBound: lost.isUpperBound)
      }
    }
    try addUnmanaged(work, counter.counts)
    for loss in missing.flatMap({ $0.losses(work, account.reads) }) { add(loss) }
    losses = Self.sorted(losses)
  }

  /// The parts of the source that neither the work reads nor the losses count: the law of the account.
  ///
  /// A sentence for each part; none if every part is read or counted. `recounts` verifies the counts of the list,
  /// which reads their tables.
  package static func unaccounted(
    by losses: [MigrationPlan.Loss],
    in work: MigrationWork,
    _ trace: LossTrace,
    recounts: Bool = false
  ) throws(StoreError) -> [String] {
    let account = SourceAccount(work, trace)
    let counter = SourcePartCounter(work.store, work.layout.schema)
    var result: [String] = []
    func compare(_ found: Int64, _ owners: [String], _ kind: MigrationPlan.Loss.Kind) {
      let counted = losses.filter { $0.kind == kind && owners.contains($0.owner) }
      let most = counted.reduce(0) { $0 + $1.count }
      let isBound = counted.contains { $0.isUpperBound == true }
      guard counted.isEmpty ? found > 0 : found > most || found < most && !isBound else { return }
      let loss = MigrationPlan.Loss(kind, owners[0], found, by: .removed, reason: "")
      result.append("nothing reads \(found) \(loss.subject), of which \(most) are counted as lost")
    }
    func isCounted(_ owners: [String], _ kind: MigrationPlan.Loss.Kind) -> Bool {
      !recounts && losses.contains { $0.kind == kind && owners.contains($0.owner) }
    }
    let columns = account.columns().filter { !isCounted([$0.owner], $0.kind) }
    try counter.count(columns.flatMap(\.provenance.parts))
    for item in columns {
      compare(try counter.count(item.provenance), [item.owner], item.kind)
    }
    // A run counts the links of objects when they are made. Those of several entities may be
    // narrowed by one choice.
    var narrowed: [[String]: (owners: [String], count: Int64)] = [:]
    for item in work.made == nil ? account.links() : [] {
      let choices = work.choices.filter { item.links.links.are($0.choice.lookup) }
        .map { $0.owner(in: work.layout.schema) }
      let owners = item.known.map(\.owner) + [item.other.owner] + choices
      guard !isCounted(owners, .links) else { continue }
      let count = try item.links.lost(counter.counts)
      guard !choices.isEmpty else {
        compare(count, owners, .links)
        continue
      }
      let former = narrowed[choices] ?? ([], 0)
      narrowed[choices] = (former.owners + owners, former.count + count)
    }
    for (_, found) in narrowed.sorted(by: { $0.key[0] < $1.key[0] }) {
      compare(found.count, found.owners, .links)
    }
    for change in try work.ancillaryChanges() {
      let (table, kind) = (change.table.name, change.lossKind)
      guard !change.conditions.isEmpty, !isCounted([table], kind) else { continue }
      let gone = try counter.counts.rows(in: table, where: [], except: [change.conditions])
      compare(gone, [table], kind)
    }
    return result
  }

  /// A counter of what a ledger of some work will list.
  static func counter(_ trace: LossTrace, _ work: MigrationWork) -> SourcePartCounter {
    let found = objects(trace, work) + SourceAccount(work, trace).columns()
    return SourcePartCounter(
      work.store,
      work.layout.schema,
      counting: found.flatMap(\.provenance.parts),
      left: filtered(work).map { ($0[0].mapping.source, $0.map(\.transfer.conditions)) }
    )
  }

  /// The objects that are counted one by one: those left out by filters are derived from those that are made.
  private static func objects(
    _ trace: LossTrace,
    _ work: MigrationWork
  ) -> [LossTrace.UncountedLoss] {
    trace.found.filter { $0.kind == .objects && (work.made == nil || $0.cause != .filtered) }
  }

  private static func filtered(_ work: MigrationWork) -> [[InstanceCreation]] {
    Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
      .sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.contains(where: \.isFiltered) }
  }

  private mutating func add(
    _ found: [LossTrace.UncountedLoss],
    _ counter: SourcePartCounter
  ) throws(StoreError) {
    try counter.count(found.flatMap(\.provenance.parts))
    for item in found { add(item.makeLoss(try counter.count(item.provenance))) }
  }

  /// Adds a loss, if there is any, to one of the same owner and reason, if there is one.
  private mutating func add(_ loss: MigrationPlan.Loss) {
    guard loss.count > 0 else { return }
    var uncounted = loss
    uncounted.count = 0
    if let same = owners[uncounted] { return losses[same].count += loss.count }
    owners[uncounted] = losses.count
    losses.append(loss)
  }

  private mutating func addLeft(
    _ kind: MigrationPlan.Loss.Kind,
    _ owner: String,
    _ count: Int64,
    because reason: String
  ) {
    add(MigrationPlan.Loss(kind, owner, count, by: .leftBehind, reason: reason))
  }

  /// Losses by step, kind, owner and reason.
  package static func sorted(_ losses: [MigrationPlan.Loss]) -> [MigrationPlan.Loss] {
    let order = MigrationPlan.Loss.Kind.allCases
    return losses.sorted { left, right in
      let (first, second) = (order.firstIndex(of: left.kind), order.firstIndex(of: right.kind))
      if left.step != right.step { return left.step < right.step }
      if first != second { return (first ?? 0) < (second ?? 0) }
      if left.owner != right.owner { return CodeUnitOrder.precedes(left.owner, right.owner) }
      return CodeUnitOrder.precedes(left.reason, right.reason)
    }
  }

  private mutating func addFiltered(
    _ work: MigrationWork,
    _ trace: LossTrace,
    _ counter: SourcePartCounter
  ) throws(StoreError) {
    for creations in Self.filtered(work) {
      let source = creations[0].mapping.source
      let left = try counter.left(of: source, by: creations.map(\.transfer.conditions))
      for (creation, count) in zip(creations, left.byEach) {
        leftOut[creation.mapping.mapping.name] = count
      }
      guard creations.allSatisfy(\.isFiltered) else { continue }
      let isCounted = creations.allSatisfy { $0.filter == nil }
      let count =
        isCounted ? left.byAll : try counter.count(Provenance([.objects(of: source.name)]))
      let filters = creations.compactMap { $0.mapping.mapping.filter?.description }
      add(
        MigrationPlan.Loss(
          .objects,
          source.name,
          count,
          isUpperBound: !isCounted,
          by: .filtered,
          reason: "they do not satisfy \(filters.joined(separator: " or "))",
          step: trace.found.first { $0.cause == .filtered }?.step ?? 1
        )
      )
    }
  }

  /// Adds source objects that become nothing if their collection has no element.
  private mutating func addDivided(
    _ work: MigrationWork,
    _ counter: SourcePartCounter
  ) throws(StoreError) {
    for (source, creations) in Dictionary(
      grouping: work.instances.creations,
      by: \.mapping.source.name
    ) {
      guard creations.contains(where: \.mapping.isDividing),
        creations.allSatisfy({ $0.isFiltered || $0.mapping.isDividing })
      else { continue }
      let count = try counter.count(Provenance([.objects(of: source)]))
      let reason = MadeLedger.noElement
      add(.init(.objects, source, count, isUpperBound: true, by: .filtered, reason: reason))
    }
  }

  /// Links that rows which keep their keys do not carry, each counted once: those that a choice among several leaves out,
  /// those whose steps are known, and the others.
  private mutating func addLinks(
    _ unread: [SourceAccount.Unread],
    _ work: MigrationWork,
    _ counter: SourcePartCounter
  ) throws(StoreError) {
    var narrowed = try narrowed(work)
    for item in unread {
      var left = try item.links.lost(counter.counts)
      func take(_ most: Int64) -> Int64 {
        let taken = min(left, most)
        left -= taken
        return taken
      }
      for owner in narrowed.keys.sorted() {
        guard let found = narrowed[owner], item.links.links.are(found.lookup) else { continue }
        let taken = take(found.left)
        narrowed[owner]?.left -= taken
        narrowed[owner]?.count += taken
      }
      for known in item.known {
        for part in known.provenance.parts where part.concerns(item.links.links.key) {
          let most = try counter.count(Provenance([part]))
          // The rest is known exactly.
          add(known.makeLoss(take(most), isUpperBound: false))
        }
      }
      add(item.other.makeLoss(left))
    }
    for (owner, lost) in narrowed {
      addNarrowed(owner, lost.count, isUpperBound: lost.isUpperBound)
    }
  }

  private mutating func addNarrowed(_ owner: String, _ count: Int64, isUpperBound: Bool) {
    add(
      MigrationPlan.Loss(
        .links,
        owner,
        count,
        isUpperBound: isUpperBound,
        by: .narrowed,
        reason: FollowedLinks.narrowed
      )
    )
  }

  private struct Narrowed {
    let lookup: RelationshipRows
    /// The links left out that are found among the links that are lost, and those that are not.
    var count: Int64 = 0
    var left: Int64
    let isUpperBound: Bool
  }

  private func narrowed(_ work: MigrationWork) throws(StoreError) -> [String: Narrowed] {
    var result: [String: Narrowed] = [:]
    for choice in work.choices where !choice.isRefused {
      let count = try work.store.partnersLeftOut(by: choice.choice)
      let owner = choice.owner(in: work.layout.schema)
      guard count > result[owner].map({ $0.count + $0.left }) ?? 0 else { continue }
      result[owner] = Narrowed(
        lookup: choice.choice.lookup,
        left: count,
        isUpperBound: choice.mayBeDropped
      )
    }
    return result
  }

  private mutating func addUnmanaged(
    _ work: MigrationWork,
    _ counts: SourceCounts
  ) throws(StoreError) {
    let needed = "the destination's model needs its name"
    let fetched = "objects are created again, and CloudKit's records are fetched for them again"
    for table in work.unmanagedTables.tablesLeftBehind {
      let isMirroring = MirroringTables.contains(table.name)
      addLeft(
        isMirroring ? .mirroring : .unmanaged,
        table.name,
        try work.store.rows(in: table.name),
        because: isMirroring ? fetched : needed
      )
    }
    for left in work.unmanagedObjects.reportedLeft {
      let object = left.object
      addLeft(.schema, "\(object.kind.rawValue) \(object.name)", 1, because: left.reason)
      // An R-tree keeps its entries in tables of its own, which are copied, but nothing finds them any more.
      let entries = "\(object.name)_rowid"
      guard object.kind == .virtualTable,
        work.layout.unmanagedTables.contains(where: { $0.name == entries })
      else { continue }
      let reason = "the virtual table that finds them is left behind"
      addLeft(.unmanaged, object.name, try work.store.rows(in: entries), because: reason)
    }
    for table in work.layout.historyTables {
      if work.unmanagedTables.history.isEmpty {
        let reason = "objects are created again, with a new history"
        addLeft(.history, table.name, try work.store.rows(in: table.name), because: reason)
      }
    }
    for change in try work.ancillaryChanges() where !change.conditions.isEmpty {
      let gone = try counts.rows(in: change.table.name, where: [], except: [change.conditions])
      addLeft(change.lossKind, change.table.name, gone, because: change.reason)
    }
  }
}

extension PartnerChoice {
  /// The relationship of the source whose links it leaves out, by its first entity.
  fileprivate func owner(in schema: StoreSchema) -> String {
    SourceLinks.all(in: schema).first { $0.are(choice.lookup) }.map { "\($0.key)" } ?? owner
  }
}

extension AncillaryChange {
  var lossKind: MigrationPlan.Loss.Kind {
    MirroringTables.contains(table.name) ? .mirroring : .history
  }

  var reason: String {
    if table.name == MirroringTables.relationships { return "their relationships are removed" }
    return lastCutTransaction == nil
      ? "their objects' entities are removed"
      : "the history is cut at the last change of a removed entity"
  }
}

extension LossTrace.UncountedLoss {
  func makeLoss(
    _ count: Int64,
    isUpperBound: Bool? = nil,
    by cause: MigrationPlan.Loss.Cause? = nil
  ) -> MigrationPlan.Loss {
    MigrationPlan.Loss(
      kind,
      owner,
      count,
      isUpperBound: isUpperBound ?? !provenance.isExact,
      by: cause ?? self.cause,
      reason: reason,
      step: step
    )
  }
}

extension InstanceCreation {
  fileprivate var isFiltered: Bool { mapping.mapping.filter != nil }
}

package import BulkLowering
internal import BulkMapping
internal import BulkModel
package import BulkStore

/// Lists what of a store will be lost in its migration, step by step.
package struct Ledger {
  /// The losses, by step, then by kind.
  private(set) var losses: [MigrationPlan.Loss] = []
  /// The number of objects that the SQL conditions of each entity mapping exclude, by its name.
  private(set) var leftOut: [String: Int64] = [:]

  /// The ledger of steps done as one leg.
  ///
  /// - Parameters:
  ///   - trace: The losses of the steps.
  ///   - work: Their work.
  ///   - counter: Counts the parts of the store.
  /// - Throws: ``StoreError`` if the store cannot be read.
  init(_ trace: LossTrace, _ work: MigrationWork, _ counter: SourcePartCounter) throws {
    let account = SourceAccount(work, trace)
    let links = account.links()
    let others = trace.found.filter { loss in
      loss.kind == .links && !work.keepsKeys
        && !links.contains { loss.provenance.concerns($0.links.links.key) }
    }.map(\.followedByRun)
    try add(Self.objects(trace, work) + account.columns() + others, counter)
    try addFiltered(work, trace, counter)
    try addLinks(links, work, counter)
    try addUnmanaged(work, counter.counts)
    losses = Self.sorted(losses)
  }

  /// What nothing of some work reads and a list of losses does not count: the law of the account.
  ///
  /// - Parameters:
  ///   - losses: The losses of the work's steps.
  ///   - work: The work.
  ///   - recounts: Whether what the list counts is counted again, which reads the tables that have some.
  /// - Returns: A sentence for each part; empty if every part of the source is read or counted.
  /// - Throws: ``StoreError`` if the store cannot be read.
  package static func unaccounted(
    by losses: [MigrationPlan.Loss],
    in work: MigrationWork,
    recounts: Bool = false
  ) throws(StoreError) -> [String] {
    let account = SourceAccount(work, LossTrace(work.singleSteps))
    let counter = try SourcePartCounter(work.store, work.layout.schema)
    var result: [String] = []
    func compare(_ found: Int64, _ places: [String], _ kind: MigrationPlan.Loss.Kind) {
      let counted = losses.filter { $0.kind == kind && places.contains($0.place) }
      let most = counted.reduce(0) { $0 + $1.count }
      let isBound = counted.contains { $0.isUpperBound == true }
      guard counted.isEmpty ? found > 0 : found > most || found < most && !isBound else { return }
      let loss = MigrationPlan.Loss(kind, places[0], found, by: .removed, reason: "")
      result.append("nothing reads \(found) \(loss.subject), of which \(most) are counted as lost")
    }
    func isCounted(_ places: [String], _ kind: MigrationPlan.Loss.Kind) -> Bool {
      !recounts && losses.contains { $0.kind == kind && places.contains($0.place) }
    }
    for item in account.columns() where !isCounted([item.place], item.kind) {
      compare(try counter.count(item.provenance), [item.place], item.kind)
    }
    for item in account.links() {
      let narrowed = work.choices.filter { item.links.links.are($0.choice.lookup) }.map(\.place)
      let places = item.known.map(\.place) + [item.other.place] + narrowed
      guard !isCounted(places, .links) else { continue }
      compare(try item.links.lost(counter.counts), places, .links)
    }
    return result
  }

  /// Announces what a ledger will count.
  static func announce(_ trace: LossTrace, _ work: MigrationWork, to counter: SourcePartCounter) {
    let found = objects(trace, work) + SourceAccount(work, trace).columns()
    counter.announce(found.flatMap(\.provenance.parts))
    for creations in filtered(work) {
      let source = creations[0].mapping.source
      counter.announce(leftOf: source, by: creations.map(\.transfer.conditions))
    }
  }

  /// The objects that are counted one by one: those left out by filters are derived from those that are made.
  private static func objects(
    _ trace: LossTrace,
    _ work: MigrationWork
  ) -> [LossTrace.UncountedLoss] {
    trace.found.filter { $0.kind == .objects && (work.keepsKeys || $0.cause != .filtered) }
  }

  /// The creations from entities of which filters may exclude objects, by entity in their order.
  private static func filtered(_ work: MigrationWork) -> [[InstanceCreation]] {
    Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
      .sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.contains(where: \.isFiltered) }
  }

  /// The ledger of steps whose source does not exist yet.
  ///
  /// - Parameters:
  ///   - trace: The losses of all steps.
  ///   - first: The number of first steps to skip, which have their own ledger.
  ///   - store: The store that the first step reads.
  ///   - schema: Its tables.
  /// - Throws: ``StoreError`` if the store cannot be read.
  init(
    _ trace: LossTrace,
    after first: Int,
    _ store: PersistentStore,
    _ schema: StoreSchema
  ) throws(StoreError) {
    let found = trace.found.filter { $0.step > first }
    try add(found, SourcePartCounter(store, schema))
    losses = Self.sorted(losses)
  }

  private mutating func add(
    _ found: [LossTrace.UncountedLoss],
    _ counter: SourcePartCounter
  ) throws(StoreError) {
    try counter.count(found.flatMap(\.provenance.parts))
    for item in found { add(item.counted(try counter.count(item.provenance))) }
  }

  /// Adds a loss, if there is any, to one of the same place and reason, if there is one.
  private mutating func add(_ loss: MigrationPlan.Loss) {
    guard loss.count > 0 else { return }
    let same = losses.firstIndex {
      var other = $0
      other.count = loss.count
      return other == loss
    }
    if let same { losses[same].count += loss.count } else { losses.append(loss) }
  }

  /// Adds what is left behind.
  private mutating func addLeft(
    _ kind: MigrationPlan.Loss.Kind,
    _ place: String,
    _ count: Int64,
    because reason: String
  ) {
    add(MigrationPlan.Loss(kind, place, count, by: .leftBehind, reason: reason))
  }

  private static func sorted(_ losses: [MigrationPlan.Loss]) -> [MigrationPlan.Loss] {
    let order = MigrationPlan.Loss.Kind.allCases
    return losses.sorted { left, right in
      let (first, second) = (order.firstIndex(of: left.kind), order.firstIndex(of: right.kind))
      if left.step != right.step { return left.step < right.step }
      if first != second { return (first ?? 0) < (second ?? 0) }
      if left.place != right.place { return CodeUnitOrder.precedes(left.place, right.place) }
      return CodeUnitOrder.precedes(left.reason, right.reason)
    }
  }

  /// Objects that the filters of all mappings that read them exclude.
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

  /// Links that the work does not carry, each counted once: those that a choice among several leaves out,
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
      for place in narrowed.keys.sorted() where work.keepsKeys {
        guard let found = narrowed[place], item.links.links.are(found.lookup) else { continue }
        let taken = take(found.left)
        narrowed[place]?.left -= taken
        narrowed[place]?.count += taken
      }
      for known in item.known {
        for part in known.provenance.parts where part.concerns(item.links.links.key) {
          let most = try counter.count(Provenance([part]))
          // Where all rows keep their keys, what is left is known exactly.
          var loss = known.counted(take(most))
          if work.keepsKeys { loss.isUpperBound = nil }
          add(loss)
        }
      }
      add(item.other.counted(left))
    }
    for (place, lost) in narrowed {
      add(
        MigrationPlan.Loss(
          .links,
          place,
          lost.count,
          isUpperBound: lost.isUpperBound,
          by: .narrowed,
          reason: "the first of several objects is kept"
        )
      )
    }
  }

  /// What relationships lose by becoming to-one.
  private struct Narrowed {
    let lookup: RelationshipRows
    /// The links left out, and those of them that are not found among the links that are lost.
    var count: Int64
    var left: Int64
    let isUpperBound: Bool
  }

  private func narrowed(_ work: MigrationWork) throws(StoreError) -> [String: Narrowed] {
    var result: [String: Narrowed] = [:]
    for choice in work.choices {
      let count = try work.store.partnersLeftOut(by: choice.choice)
      guard count > result[choice.place].map({ $0.count + $0.left }) ?? 0 else { continue }
      result[choice.place] = Narrowed(
        lookup: choice.choice.lookup,
        // The run follows the links of objects that are made anew.
        count: work.keepsKeys ? 0 : count,
        left: work.keepsKeys ? count : 0,
        isUpperBound: choice.mayBeDropped
      )
    }
    return result
  }

  /// Unmanaged data that cannot be kept, and the history of a store with new objects.
  private mutating func addUnmanaged(
    _ work: MigrationWork,
    _ counts: SourceCounts
  ) throws(StoreError) {
    let needed = "the destination's model needs its name"
    for table in work.unmanagedTables.tablesLeftBehind {
      addLeft(.unmanaged, table.name, try work.store.rows(in: table.name), because: needed)
    }
    let objects = work.unmanagedObjects
    let left =
      objects.displaced.map { ($0, needed) }
      + objects.leftBehind.map { ($0, "it refers to something that is gone or has another name") }
      + objects.refused.map { ($0.object, "it computes by \($0.function), which is not called") }
    for (object, reason) in left {
      addLeft(.schema, "\(object.kind.rawValue) \(object.name)", 1, because: reason)
      // An R-tree keeps its entries in tables of its own, which are copied, but nothing finds them any more.
      let entries = "\(object.name)_rowid"
      guard object.kind == .virtualTable,
        work.layout.unmanagedTables.contains(where: { $0.name == entries })
      else { continue }
      let reason = "the virtual table that finds them is left behind"
      addLeft(.unmanaged, object.name, try work.store.rows(in: entries), because: reason)
    }
    let kept = work.unmanagedTables.entityNumbers.keys.sorted()
    for table in work.layout.historyTables {
      if work.unmanagedTables.history.isEmpty {
        let reason = "objects are made anew, and with them their history"
        addLeft(.history, table.name, try work.store.rows(in: table.name), because: reason)
      } else if table.name == RangeUpdate.historyTable {
        let count = try counts.rows(
          in: table.name,
          where: [],
          besides: [[.columnIn("ZENTITY", kept)]]
        )
        addLeft(.history, table.name, count, because: "their objects' entities are removed")
      }
    }
  }
}

extension LossTrace.UncountedLoss {
  /// The loss with its count.
  fileprivate func counted(_ count: Int64) -> MigrationPlan.Loss {
    MigrationPlan.Loss(
      kind,
      place,
      count,
      isUpperBound: !provenance.isExact,
      by: cause,
      reason: reason,
      step: step
    )
  }

  /// The loss of links that the run follows, from whichever end they are read: only the run can count them.
  fileprivate var followedByRun: LossTrace.UncountedLoss {
    var result = self
    if cause != .target { result.provenance = provenance.atMost }
    result.cause = .target
    return result
  }
}

extension InstanceCreation {
  /// Whether a filter may exclude some of the source objects.
  fileprivate var isFiltered: Bool { mapping.mapping.filter != nil }
}

internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Lists what of a store will be lost in its migration, step by step.
struct Ledger {
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
    losses = try Self.losses(Self.counted(trace, work), counter)
    try addFiltered(work, trace, counter)
    try addNarrowed(work)
    try addUnmanaged(work)
    losses = Self.sorted(losses)
  }

  /// Announces what a ledger will count.
  static func announce(_ trace: LossTrace, _ work: MigrationWork, to counter: SourcePartCounter) {
    counter.announce(counted(trace, work).flatMap(\.provenance.parts))
    for creations in filtered(work) {
      let source = creations[0].mapping.source
      counter.announce(leftOf: source, by: creations.map(\.transfer.conditions))
    }
  }

  /// The losses that are counted one by one: those by filters are derived from the objects that are made.
  private static func counted(
    _ trace: LossTrace,
    _ work: MigrationWork
  ) -> [LossTrace.UncountedLoss] {
    trace.found.filter { work.keepsKeys || $0.cause != .filtered }
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
    losses = Self.sorted(try Self.losses(found, try SourcePartCounter(store, schema)))
  }

  private static func losses(
    _ found: [LossTrace.UncountedLoss],
    _ counter: SourcePartCounter
  ) throws(StoreError) -> [MigrationPlan.Loss] {
    try counter.count(found.flatMap(\.provenance.parts))
    var result: [MigrationPlan.Loss] = []
    for item in found {
      let count = try counter.count(item.provenance)
      guard count > 0 else { continue }
      result.append(
        MigrationPlan.Loss(
          item.kind,
          item.place,
          count,
          isUpperBound: !item.provenance.isExact,
          by: item.cause,
          reason: item.reason,
          step: item.step
        )
      )
    }
    return result
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
      guard count > 0 else { continue }
      let filters = creations.compactMap { $0.mapping.mapping.filter?.description }
      losses.append(
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

  /// Objects that relationships lose by becoming to-one.
  private mutating func addNarrowed(_ work: MigrationWork) throws(StoreError) {
    var places: [String: (count: Int64, isUpperBound: Bool)] = [:]
    for choice in work.choices {
      let count = try work.store.partnersLeftOut(by: choice.choice)
      guard count > 0 else { continue }
      let before = places[choice.place] ?? (0, false)
      places[choice.place] = (max(before.count, count), before.isUpperBound || choice.mayBeDropped)
    }
    for (place, lost) in places {
      losses.append(
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

  /// Unmanaged data that cannot be kept, and the history of a store with new objects.
  private mutating func addUnmanaged(_ work: MigrationWork) throws(StoreError) {
    let counts = try SourceCounts(work.store)
    let kept = work.unmanagedTables.columnNames
    for (table, columns) in work.layout.unmanagedColumns {
      for column in columns where kept[table]?.contains(column.name) != true {
        let found = try counts.rows(with: [.value(in: [column.name])], in: table)
        guard let count = found.first, count > 0 else { continue }
        losses.append(
          MigrationPlan.Loss(
            .unmanaged,
            "\(table).\(column.name)",
            count,
            by: .leftBehind,
            reason: "the table is gone, is made anew, or needs the name"
          )
        )
      }
    }
    let needed = "the destination's model needs its name"
    for table in work.unmanagedTables.tablesLeftBehind {
      let count = try work.store.rows(in: table.name)
      guard count > 0 else { continue }
      losses.append(
        MigrationPlan.Loss(.unmanaged, table.name, count, by: .leftBehind, reason: needed)
      )
    }
    let left =
      work.unmanagedObjects.displaced.map { ($0, needed) }
      + work.unmanagedObjects.leftBehind.map {
        ($0, "it refers to something that is gone or has another name")
      }
      + work.unmanagedObjects.refused.map {
        ($0.object, "it computes by \($0.function), which is not called")
      }
    for (object, reason) in left {
      losses.append(
        MigrationPlan.Loss(
          .schema,
          "\(object.kind.rawValue) \(object.name)",
          1,
          by: .leftBehind,
          reason: reason
        )
      )
    }
    guard work.unmanagedTables.history.isEmpty else { return }
    for table in work.layout.historyTables {
      let count = try work.store.rows(in: table.name)
      guard count > 0 else { continue }
      let reason = "objects are made anew, and with them their history"
      losses.append(
        MigrationPlan.Loss(.history, table.name, count, by: .leftBehind, reason: reason)
      )
    }
  }
}

extension InstanceCreation {
  /// Whether a filter may exclude some of the source objects.
  fileprivate var isFiltered: Bool { mapping.mapping.filter != nil }
}

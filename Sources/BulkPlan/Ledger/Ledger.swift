internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Says what of a store will not be there after its migration, step by step.
struct Ledger {
  /// What is lost, by step, then by what is counted.
  private(set) var losses: [MigrationPlan.Loss] = []
  /// How many objects the conditions of each entity mapping leave out, by its name, as far as SQL says it.
  private(set) var leftOut: [String: Int64] = [:]

  /// The ledger of steps that are done as one.
  ///
  /// - Parameters:
  ///   - trace: What the steps leave behind.
  ///   - work: What they do.
  /// - Throws: ``StoreError`` if the store cannot be read.
  init(_ trace: LossTrace, _ work: MigrationWork) throws {
    let counter = try SourcePartCounter(work.store, work.layout.schema)
    // What filters leave out is told by what they became.
    let found = trace.found.filter { work.keepsKeys || $0.cause != .filtered }
    losses = try Self.losses(found, counter)
    try addFiltered(work, trace, counter)
    try addNarrowed(work)
    try addUnmanaged(work)
    losses = Self.sorted(losses)
  }

  /// The ledger of steps whose source is not made yet.
  ///
  /// - Parameters:
  ///   - trace: What all steps leave behind.
  ///   - first: The number of the steps that are left out, as their own ledger tells of them.
  ///   - store: The store that is read by the first step.
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
    _ found: [LossTrace.Found],
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

  /// Objects that satisfy the filters of none of the mappings that read them.
  private mutating func addFiltered(
    _ work: MigrationWork,
    _ trace: LossTrace,
    _ counter: SourcePartCounter
  ) throws(StoreError) {
    let creations = Dictionary(
      grouping: work.instances.creations,
      by: \.mapping.source.name
    )
    for (_, creations) in creations.sorted(by: { $0.key < $1.key }) {
      let source = creations[0].mapping.source
      guard creations.contains(where: \.isFiltered) else { continue }
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

  /// Objects that relationships which become to-one do not keep.
  private mutating func addNarrowed(_ work: MigrationWork) throws(StoreError) {
    var places: [String: (count: Int64, isUpperBound: Bool)] = [:]
    for choice in work.choices {
      let count = try work.store.partnersLeftOut(by: choice.choice)
      guard count > 0 else { continue }
      let before = places[choice.place] ?? (0, false)
      places[choice.place] = (max(before.count, count), before.isUpperBound || choice.mayFallAway)
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

  /// What no model manages and cannot be taken over, and the history of a store that is made anew.
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
    let left =
      work.unmanagedObjects.leftBehind.map {
        ($0, "it stands on something that is gone or has another name")
      }
      + work.unmanagedObjects.refused.map {
        ($0.object, "it computes by \($0.function), which is not asked")
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
  /// Whether some of the source objects may be left out by a filter.
  fileprivate var isFiltered: Bool { mapping.mapping.filter != nil }
}

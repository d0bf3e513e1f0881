internal import BulkExecute
internal import BulkCoding
internal import BulkPlan

/// A plan as a graph: entities of the source and of the destination, with bands between them.
struct PlanGraph {
  /// The fate of objects of one entity.
  struct Band: Hashable {
    /// The source entity; `nil` for a new entity without objects.
    var source: String?
    /// The destination entity; `nil` for objects that have no place there.
    var destination: String?
    var fate: Fate
    /// The number of source objects that are read for it; 0 where it is a part of what another one reads.
    var read: Int64 = 0
    var rows: Int64
    /// Whether there may be fewer.
    var isUpperBound = false
    /// The changes, a phrase each.
    var details: [String] = []
  }

  /// A unit of work: a pass, or a step of a route.
  struct Lane {
    var title: String
    /// Numbers of the lane in words.
    var note: String
    var bands: [Band]
  }

  var lanes: [Lane]

  /// The graph of a plan, with what is known of its rejected objects.
  init(_ facts: ReportFacts) {
    let plan = facts.plan
    let passes = plan.passes.map { pass in
      Lane(
        title: Self.title(of: pass, in: plan),
        note: Self.note(of: pass, facts.written(by: pass)),
        bands: pass.entities.flatMap { Self.bands(of: $0, facts.tallies, facts.rejects) }
      )
    }
    let steps = (plan.route?.steps ?? []).enumerated().compactMap { index, step -> Lane? in
      guard let entities = step.entities else { return nil }
      return Lane(
        title: "Step \(index + 1)",
        note: "about \(step.rows.grouped) rows",
        bands: entities.flatMap { Self.bands(of: $0, [:]) }
      )
    }
    lanes = (passes + steps).filter { !$0.bands.isEmpty }
    for (entity, count) in (facts.rejects?.lines ?? [:]).sorted(by: { $0.key < $1.key }) {
      reject(count, of: entity)
    }
  }

  /// The largest number of objects in a band.
  var mostRows: Int64 { lanes.flatMap(\.bands).map(\.rows).max() ?? 0 }

  /// The fates that occur, those of losses first.
  var fates: [Fate] {
    let found = Set(lanes.flatMap(\.bands).map(\.fate))
    return Fate.allCases.filter(found.contains)
  }

  private mutating func reject(_ count: Int64, of entity: String) {
    let index = lanes.firstIndex { lane in lane.bands.contains { $0.source == entity } }
    guard let index else { return }
    lanes[index].bands.append(
      Band(source: entity, destination: nil, fate: .rejected, rows: count)
    )
  }

  private static func title(of pass: MigrationPlan.Pass, in plan: MigrationPlan) -> String {
    let step = plan.route == nil ? "" : "Step 1, "
    return plan.passes.count > 1
      ? "\(step)pass \(pass.number): \(pass.name)".capitalizedFirst
      : "\(step)one pass".capitalizedFirst
  }

  private static func note(of pass: MigrationPlan.Pass, _ written: Int64?) -> String {
    let pairs = pass.rows - pass.entities.reduce(0) { $0 + $1.rows }
    let isMost = written == nil && pass.isUpperBound == true
    let rows = "\(isMost ? "at most " : "")\((written ?? pass.rows).grouped) rows"
    let joined = pairs > 0 ? ", \(pairs.grouped) of them pairs of join tables" : ""
    return "\(rows)\(joined), about \(ByteCount(bytes: pass.estimatedBytes))"
  }

  /// The bands of an entity, with what was counted where it is known.
  private static func bands(
    of change: MigrationPlan.EntityChange,
    _ tallies: [String: RowTally],
    _ rejects: RejectSummary? = nil
  ) -> [Band] {
    let fate = Fate(change.change)
    let source = change.from ?? change.entity
    guard !fate.isLoss else {
      return [
        Band(
          source: source,
          destination: nil,
          fate: fate,
          read: change.rowsLost,
          rows: change.rowsLost
        )
      ]
    }
    let tally = change.mapping.flatMap { tallies[$0] }
    let left = (change.rowsLeftOut ?? 0) + (tally?.filtered ?? 0)
    // Rows that keep their keys have no tally of their entity.
    let taken = tally.map { $0.leftOut ?? 0 } ?? rejects?.lines[source] ?? 0
    let band = Band(
      source: fate == .added ? nil : source,
      destination: change.entity,
      fate: fate,
      read: change.rows,
      rows: max((tally?.written ?? change.rows - left) - taken, 0),
      isUpperBound: tally == nil && change.isUpperBound == true,
      details: words(of: change) + change.details
    )
    guard left > 0 else { return [band] }
    return [
      band,
      Band(
        source: source,
        destination: nil,
        fate: .leftOut,
        rows: left,
        details: [change.filter].compactMap(\.self)
      ),
    ]
  }

  /// The mapping's settings besides its properties.
  private static func words(of change: MigrationPlan.EntityChange) -> [String] {
    [
      change.filter.map { "filter \($0)" }, change.policy.map { "policy \($0)" },
      change.unique.map { "one of all with the same \($0.joined(separator: ", "))" },
      change.forEach.map { "one of each of \($0)" },
    ].compactMap(\.self)
  }
}

extension String {
  /// The text with its first letter as a capital.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// The fate of the objects of an entity.
enum Fate: String, CaseIterable {
  case removed
  case rejected
  case leftOut = "left-out"
  case made
  case changed
  case added
  case copied

  init(_ change: MigrationPlan.EntityChange.Kind) {
    switch change {
    case .copied: self = .copied
    case .renamed, .transformed: self = .changed
    case .made: self = .made
    case .added: self = .added
    case .removed: self = .removed
    }
  }

  /// The word in the legend and in tables.
  var word: String {
    switch self {
    case .removed: "removed"
    case .rejected: "rejected"
    case .leftOut: "left out by a filter"
    case .made: "made by a mapping"
    case .changed: "changed"
    case .added: "new"
    case .copied: "copied"
    }
  }

  /// Whether the objects have no place in the destination.
  var isLoss: Bool {
    switch self {
    case .removed, .rejected, .leftOut: true
    case .made, .changed, .added, .copied: false
    }
  }
}

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
    /// The number of entities that it stands for.
    var folded = 1
  }

  /// A unit of work: a pass, or a step of a route.
  struct Lane: Hashable {
    var title: String
    /// Numbers of the lane in words.
    var note: String
    var bands: [Band]
    /// The steps that it does, from 1.
    var steps = 1...1
    /// Whether it goes on after another part of the same lane.
    var isContinued = false
  }

  var lanes: [Lane]

  /// The graph of a plan, with what is known of its rejected objects.
  init(_ facts: ReportFacts) {
    let plan = facts.plan
    let passes = plan.passes.map { pass in
      Lane(
        title: Self.title(of: pass, in: plan),
        note: Self.note(of: pass, facts),
        bands: pass.entities.flatMap { Self.bands(of: $0, facts.talliesOfPasses, facts.rejects) }
          + Self.pairs(of: pass, facts),
        steps: 1...plan.legs[0].steps
      )
    }
    let steps = plan.steps.indices.compactMap { Self.lane(ofStep: $0, facts) }
    lanes = (passes + steps).filter { !$0.bands.isEmpty }
    for (entity, count) in (facts.rejects?.lines ?? [:]).sorted(by: { $0.key < $1.key }) {
      reject(count, of: entity)
    }
  }

  /// The largest number of objects in a band.
  var mostObjects: Int64 { bands.filter { $0.fate != .paired }.map(\.rows).max() ?? 0 }
  /// The largest number of pairs in a band; 0 without any.
  var mostPairs: Int64 { bands.filter { $0.fate == .paired }.map(\.rows).max() ?? 0 }
  private var bands: [Band] { lanes.flatMap(\.bands) }

  /// The fates that occur, those of losses first.
  var fates: [Fate] {
    let found = Set(bands.map(\.fate))
    return Fate.allCases.filter(found.contains)
  }

  private mutating func reject(_ count: Int64, of entity: String) {
    let index = lanes.firstIndex { lane in lane.bands.contains { $0.source == entity } }
    guard let index else { return }
    lanes[index].bands.append(
      Band(source: entity, destination: nil, fate: .rejected, rows: count)
    )
  }

  /// A step of a route whose entities are not those of passes; `nil` for another.
  private static func lane(ofStep index: Int, _ facts: ReportFacts) -> Lane? {
    let plan = facts.plan
    guard let entities = plan.steps[index].entities,
      let leg = plan.ranges.firstIndex(where: { $0.contains(index) })
    else { return nil }
    let isAlone = plan.ranges[leg].count == 1
    let last = plan.ranges[leg].upperBound
    var note = "planned: about \(plan.steps[index].rows.grouped) rows"
    if index + 1 < last { note = "together with step \(last)" }
    if index + 1 == last, let written = facts.written(byLeg: leg) {
      note = "\(written.grouped) rows written"
    }
    let tallies = isAlone && leg < facts.legs.count ? facts.legs[leg].tallies : [:]
    return Lane(
      title: "Step \(index + 1)",
      note: note,
      bands: entities.flatMap { Self.bands(of: $0, tallies) },
      steps: index + 1...index + 1
    )
  }

  private static func title(of pass: MigrationPlan.Pass, in plan: MigrationPlan) -> String {
    let step = plan.hasSeveralLegs ? "Step 1, " : ""
    return plan.passes.count > 1
      ? "\(step)pass \(pass.number): \(pass.name)".capitalizedFirst
      : "\(step)one pass".capitalizedFirst
  }

  private static func note(of pass: MigrationPlan.Pass, _ facts: ReportFacts) -> String {
    if let written = facts.written(by: pass) { return "\(written.grouped) rows written" }
    let most = pass.isUpperBound == true ? "at most " : ""
    let size = ByteCount(bytes: pass.estimatedBytes)
    return "planned: \(most)\(pass.rows.grouped) rows, about \(size)"
  }

  /// The band of the pairs of join tables; none without any.
  private static func pairs(of pass: MigrationPlan.Pass, _ facts: ReportFacts) -> [Band] {
    let entities = pass.entities.filter { !Fate($0.change).isLoss }
    let planned = pass.rows - entities.reduce(0) { $0 + $1.rows }
    guard planned > 0 else { return [] }
    let objects = entities.reduce(0) { $0 + $1.written(facts.talliesOfPasses) }
    let written = facts.written(by: pass).map { max($0 - objects, 0) }
    return [
      Band(
        source: "Join tables",
        destination: "Join tables",
        fate: .paired,
        read: planned,
        rows: written ?? planned,
        isUpperBound: written == nil && pass.isUpperBound == true
      )
    ]
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
    let tally = change.tally(tallies)
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

extension MigrationPlan.EntityChange {
  /// The counted fates of its source rows; `nil` where they are not counted.
  fileprivate func tally(_ tallies: [String: RowTally]) -> RowTally? {
    mapping.flatMap { tallies[$0] }
  }

  /// The rows that were written, as counted or else as planned.
  fileprivate func written(_ tallies: [String: RowTally]) -> Int64 {
    tally(tallies)?.written ?? rows - (rowsLeftOut ?? 0)
  }
}

extension String {
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
  /// Pairs of objects, which are rows of join tables.
  case paired

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
    case .paired: "pairs of join tables"
    }
  }

  /// Whether the objects have no place in the destination.
  var isLoss: Bool {
    switch self {
    case .removed, .rejected, .leftOut: true
    case .made, .changed, .added, .copied, .paired: false
    }
  }
}

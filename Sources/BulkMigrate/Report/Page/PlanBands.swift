internal import BulkSupport
internal import BulkExecute
internal import BulkPlan

struct PlanBands {
  struct Band: Hashable {
    var source: String?
    var destination: String?
    var outcome: EntityOutcome
    /// The number of source objects that are read for it; 0 where it is a part of what another one reads.
    var read: Int64 = 0
    var rows: Int64
    var isUpperBound = false
    var details: [String] = []
    var folded = 1
  }

  struct Lane: Hashable {
    var title: String
    var bands: [Band]
    /// The steps that it does, from 1.
    var steps: ClosedRange<Int>
  }

  private(set) var lanes: [Lane]

  init(_ page: ReportPage) {
    let plan = page.plan
    let passes = Lane(
      title: plan.hasSeveralLegs ? "Step 1" : "",
      bands: plan.passes.flatMap { pass in
        pass.entities.flatMap { Self.bands(of: $0, page.talliesOfPasses, page.rejects) }
          + Self.pairs(of: pass, page)
      },
      steps: 1...plan.legs[0].steps
    )
    let steps = plan.steps.indices.compactMap { Self.lane(ofStep: $0, page) }
    lanes = ([passes] + steps).filter { !$0.bands.isEmpty }
    for (entity, count) in (page.rejects?.lines ?? [:]).sorted(by: { $0.key < $1.key }) {
      // Later legs have counted their own.
      let rest = bands.filter { $0.source == entity && $0.outcome == .rejected }
        .reduce(count) { $0 - $1.rows }
      let index = lanes.firstIndex { lane in lane.bands.contains { $0.source == entity } }
      let band = Band(source: entity, outcome: .rejected, rows: rest)
      if let index, rest > 0 { lanes[index].bands.append(band) }
    }
  }

  var bands: [Band] { lanes.flatMap(\.bands) }

  private static func lane(ofStep index: Int, _ page: ReportPage) -> Lane? {
    let plan = page.plan
    // The rows of later steps are known once their leg has counted them.
    guard let entities = plan.steps[index].entities,
      let leg = plan.ranges.firstIndex(where: { $0.contains(index) }), plan.ranges[leg].count == 1,
      leg < page.record.legs.count, !page.record.legs[leg].tallies.isEmpty
    else { return nil }
    return Lane(
      title: "Step \(index + 1)",
      bands: entities.flatMap { bands(of: $0, page.record.legs[leg].tallies, isLater: true) },
      steps: index + 1...index + 1
    )
  }

  private static func pairs(of pass: MigrationPlan.Pass, _ page: ReportPage) -> [Band] {
    let entities = pass.entities.filter { !EntityOutcome($0.change).isLoss }
    let planned = pass.rows - entities.reduce(0) { $0 + $1.rows }
    guard planned > 0 else { return [] }
    let objects = entities.reduce(Int64(0)) {
      let tally = $1.mapping.flatMap { page.talliesOfPasses[$0] }
      return $0 + (tally?.written ?? $1.rows - ($1.rowsLeftOut ?? 0))
    }
    let written = page.written(by: pass).map { max($0 - objects, 0) }
    return [
      Band(
        source: "Join tables",
        destination: "Join tables",
        outcome: .paired,
        read: planned,
        rows: written ?? planned,
        isUpperBound: written == nil && pass.isUpperBound == true
      )
    ]
  }

  private static func bands(
    of change: MigrationPlan.EntityChange,
    _ tallies: [String: RowTally],
    _ rejects: RejectSummary? = nil,
    isLater: Bool = false
  ) -> [Band] {
    let outcome = EntityOutcome(change.change)
    let source = change.from ?? change.entity
    let lost = change.rowsLost
    if outcome.isLoss {
      return [Band(source: source, destination: nil, outcome: outcome, read: lost, rows: lost)]
    }
    let tally = change.mapping.flatMap { tallies[$0] }
    let left = (change.rowsLeftOut ?? 0) + (tally?.filtered ?? 0)
    // The plan does not know what the legs before a later one have left out.
    let later = isLater ? tally.map { $0.read > 0 ? $0.read : $0.written } : nil
    // Rows that keep their keys have no tally of their entity.
    let taken = tally.map { $0.leftOut ?? 0 } ?? rejects?.lines[source] ?? 0
    let band = Band(
      source: outcome == .added ? nil : source,
      destination: change.entity,
      outcome: outcome,
      read: later ?? change.rows,
      rows: max((tally?.written ?? change.rows - left) - taken, 0),
      isUpperBound: tally == nil && change.isUpperBound == true,
      details: change.settings + change.details
    )
    let details = [change.filter].compactMap(\.self)
    let others = [
      Band(source: source, outcome: .leftOut, rows: left, details: details),
      Band(source: source, outcome: .rejected, rows: isLater ? taken : 0),
    ]
    return [band] + others.filter { $0.rows > 0 }
  }
}

extension MigrationPlan.EntityChange {
  fileprivate var settings: [String] {
    [
      filter.map { "filter \($0)" }, policy.map { "policy \($0)" },
      unique.map { "one of all with the same \($0.joined(separator: ", "))" },
      forEach.map { "one of each of \($0)" },
    ].compactMap(\.self)
  }
}

extension PlanBands.Band {
  var label: String {
    if folded > 1 { return "\(folded) entities" }
    return outcome == .paired ? "Pairs of join tables" : names
  }

  private var names: String { [source, destination].compactMap(\.self).joined(separator: " → ") }
  var count: String { "\(isUpperBound ? "at most " : "")\(rows.grouped)" }

  var rowsText: String {
    let word = outcome.isLoss || outcome == .added ? " \(outcome.word)" : ""
    return count + (folded > 1 ? " copied or without objects" : word)
  }

  var sentence: String {
    let changes = details.isEmpty ? "" : ": \(details.joined(separator: "; "))"
    return "\(names), \(count) \(outcome.word)\(changes)"
  }
}

extension [PlanBands.Band] {
  private static var foldLimit: Int { 20 }

  /// The bands from top to bottom: losses and changes above, what is only copied below, the largest first, and those of a
  /// source entity together.
  ///
  /// As many as possible run level: a source entity follows one with which it shares a destination, and begins with the
  /// bands of that one.
  var levelled: Self {
    var rest = sorted {
      ($0.outcome.rank, $1.rows, $0.destination ?? $0.source ?? "")
        < ($1.outcome.rank, $0.rows, $1.destination ?? $1.source ?? "")
    }
    var result: Self = []
    var reached: Set<String> = []
    while let first = rest.first {
      let next = rest.first { $0.destination.map(reached.contains) ?? false } ?? first
      let isOwn = { (band: Element) in
        next.source == nil ? band == next : band.source == next.source
      }
      let own = rest.filter(isOwn)
      rest.removeAll(where: isOwn)
      func rank(_ band: Element) -> Int {
        guard let end = band.destination else { return 3 }
        return reached.contains(end) ? 0 : end == band.source ? 1 : 2
      }
      result += own.sorted { rank($0) < rank($1) }
      reached.formUnion(own.compactMap(\.destination))
    }
    return result
  }

  /// The bands of a picture: of many those that are only copied, or have no objects, are one.
  var folded: Self {
    let isQuiet = { (band: Element) in band.outcome == .copied || band.rows == 0 && band.read == 0 }
    let quiet = filter(isQuiet)
    guard count > Self.foldLimit, quiet.count > 1 else { return self }
    let names = quiet.compactMap { $0.destination ?? $0.source }.joined(separator: ", ")
    let title = "\(quiet.count) entities"
    var band = Element(source: title, destination: title, outcome: .copied, rows: 0)
    band.read = quiet.reduce(0) { $0 + $1.read }
    band.rows = quiet.reduce(0) { $0 + $1.rows }
    band.isUpperBound = quiet.contains(where: \.isUpperBound)
    band.details = ["copied or without objects: \(names)"]
    band.folded = quiet.count
    return filter { !isQuiet($0) } + [band]
  }
}

enum EntityOutcome: String, CaseIterable {
  case removed
  case rejected
  case leftOut = "left-out"
  case made
  case changed
  case added
  case copied
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

  var word: String {
    switch self {
    case .removed, .rejected, .changed, .copied: rawValue
    case .leftOut: "left out by a filter"
    case .made: "made by a mapping"
    case .added: "new"
    case .paired: "pairs of join tables"
    }
  }

  var isLoss: Bool { self == .removed || self == .rejected || self == .leftOut }

  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

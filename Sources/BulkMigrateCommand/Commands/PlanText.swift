internal import BulkVersions
import BulkCoding
import BulkPlatform
import BulkPlan

struct PlanText {
  let plan: MigrationPlan
  private let smallestLimit: ByteCount?
  private let extent: Extent

  private enum Extent {
    /// A line for each pass, and its changes.
    case summary
    /// The entities of passes that have something to do; many that are only copied in a line.
    case entities
    /// All entities, how the memory is divided, and which tables SQLite fills.
    case full
  }

  /// The number of entities above which a plan is summarized unless all is requested.
  static let fullLimit = 20
  /// The number of copied entities above which a pass names them in a line.
  private static let copiedLimit = 3
  /// The number of entities above which those that change in the same way are one row.
  private static let alikeLimit = 2

  /// - Parameters:
  ///   - plan: The plan.
  ///   - smallestLimit: The smallest memory limit that suffices on this system, if known.
  ///   - isFull: Whether to show everything; otherwise the number of entities decides.
  init(
    _ plan: MigrationPlan,
    smallestLimit: ByteCount?,
    isFull: Bool
  ) {
    self.plan = plan
    self.smallestLimit = smallestLimit
    let count = plan.passes.reduce(0) { $0 + $1.entities.count }
    extent = isFull ? .full : count > Self.fullLimit ? .summary : .entities
  }

  var lines: [String] {
    head
      + (plan.isUpToDate ? ["", "The store fits this model already: nothing to do."] : work)
  }

  /// The plan in Markdown, for a pull request: what it does to which stores, what is lost, and what changes.
  var markdown: [String] {
    let stores = [plan.source.store, plan.destination.store].map {
      $0.split(separator: "/").last.map(String.init) ?? $0
    }
    var document = Document(isMarkdown: true)
    document.addTitle(
      stores.joined(separator: " → "),
      plan.isUpToDate ? "nothing to do" : sum
    )
    guard !plan.isUpToDate else { return document.lines }
    document.addItems(plan.warnings)
    if !plan.losses.isEmpty {
      document.add(lossTable)
      document.addItems(allowance)
    }
    for pass in plan.passes where pass.hasWork {
      add(title(of: pass), pass.entities, to: &document)
    }
    for (number, step) in zip(1..., plan.steps) {
      if let entities = step.entities { add("step \(number)", entities, to: &document) }
    }
    return document.lines
  }

  /// Adds the entities that change, as a table, and the others in a line.
  private func add(
    _ title: String,
    _ entities: [MigrationPlan.EntityChange],
    to document: inout Document
  ) {
    let copied = entities.filter(isMerelyCopied)
    let changed = entities.filter { !isMerelyCopied($0) }
    document.addSentence(title)
    if !changed.isEmpty { document.add(table(of: changed)) }
    if !copied.isEmpty { document.addItems([Self.sum(ofCopied: copied)]) }
  }

  private var head: [String] {
    var lines = [
      "source       \(plan.source.store)  (\(ByteCount(bytes: plan.source.bytes)))",
      "  model      \(name(of: plan.source.model))",
    ]
    if !plan.hasSeveralLegs {
      lines += plan.steps.dropFirst().map { "through      \(name(of: $0.source))" }
    }
    lines += [
      "destination  \(plan.destination.store)",
      "  model      \(name(of: plan.destination.model))",
    ]
    return lines + elsewhere + ["mapping      \(mapping)"] + stepsAsOne
  }

  /// The entities that a configuration leaves to other stores.
  private var elsewhere: [String] {
    (plan.destination.elsewhere ?? []).map { other in
      let places = other.configurations.joined(separator: ", ")
      return "  elsewhere  \(other.entity)\(places.isEmpty ? "" : " (\(places))")"
    }
  }

  /// The mappings of steps that are done as one leg.
  private var stepsAsOne: [String] {
    guard !plan.hasSeveralLegs, plan.steps.count > 1, !isInferred else { return [] }
    return plan.steps.map { "  to \(shortName(of: $0.destination)): \(text(of: $0.mapping))" }
  }

  /// How the destination is made.
  private var strategy: [String] {
    plan.strategy.map { ["strategy     \($0.kind.rawValue): \($0.reason)"] } ?? []
  }

  private var mapping: String {
    if plan.hasSeveralLegs { return "\(plan.steps.count) steps" }
    return isInferred || plan.steps.count == 1
      ? text(of: plan.steps[0].mapping) : "\(plan.steps.count) steps, done as one"
  }

  private var isInferred: Bool { plan.mappings.allSatisfy { $0.path == nil } }

  private func text(of mapping: MigrationPlan.MappingInput) -> String {
    guard !mapping.files.isEmpty else { return "inferred" }
    return mapping.files.joined(separator: " and ")
      + (mapping.infer == "none" ? "" : ", rest inferred")
  }

  /// The steps over several versions; the numbers of all but the first are approximate.
  private var route: [String] {
    guard plan.hasSeveralLegs else { return [] }
    let steps = zip(1..., plan.steps).table(
      indent: 2,
      .right("STEP") { "\($0.0)" },
      .left("FROM") { shortName(of: $0.1.source) },
      .left("TO") { shortName(of: $0.1.destination) },
      .right("ROWS") { number, step in
        Self.bound(ifUpper: step.isUpperBound) + (number == 1 ? "" : "about ") + step.rows.grouped
      },
      .left("MAPPING") { text(of: $0.1.mapping) }
    )
    return [""] + steps + [""] + legs + ["", Self.title(plan.ranges[0])]
  }

  /// Which steps are done as one, and why others are not.
  private var legs: [String] {
    zip(plan.ranges, plan.legs).flatMap { range, leg in
      let how = range.count > 1 ? "are done as one" : "is done by itself"
      return ["\(Self.title(range)) \(how)"] + leg.boundary.map { "  because \($0)" }
    }
  }

  private static func title(_ range: Range<Int>) -> String {
    range.count > 1
      ? "steps \(range.lowerBound + 1) to \(range.upperBound)" : "step \(range.upperBound)"
  }

  private func shortName(of model: MigrationPlan.ModelInput) -> String {
    let file = model.path.split(separator: "/").last.map(String.init) ?? model.path
    return model.isInStore ? "kept in \(file)" : file
  }

  private var total: String {
    let bound = Self.bound(ifUpper: plan.isUpperBound)
    let files = plan.source.externalFiles
    let names = files.map { " and \($0.count.grouped) \($0.count == 1 ? "file" : "files")" } ?? ""
    let about = plan.hasSeveralLegs ? "about " : ""
    let size = plan.sizeOfAllLegs + ByteCount(bytes: files?.bytes ?? 0)
    return "total        \(bound)\(about)\(plan.rowsOfAllLegs.grouped) rows\(names), "
      + "\(bound)about \(size), \(bound)about \(duration(plan.estimatedSeconds))"
  }

  /// The prefix of a number that may be smaller.
  static func bound(ifUpper isUpperBound: Bool?) -> String {
    isUpperBound == true ? "at most " : ""
  }

  private func name(of model: MigrationPlan.ModelInput) -> String {
    (model.isInStore ? "kept in \(model.path)" : model.path)
      + (model.configuration.map { ", configuration \($0)" } ?? "")
  }

  private var work: [String] {
    let limit = smallestLimit.map { ["memory       at least \($0)"] } ?? []
    let end = strategy + [total, sum]
    switch extent {
    case .summary:
      return warnings + losses + route + plan.passTable + laterSteps + [""] + limit + end
        + ["to see every entity, pass --full"]
    case .entities:
      return warnings + losses + route + passes + laterSteps + carried + [""] + limit + end
    case .full:
      return warnings + losses + route + passes + laterSteps + carried
        + memory + [""] + end
    }
  }

  /// The changes of all entities, or the steps, and the losses in one line.
  var sum: String {
    let entities = plan.passes.flatMap(\.entities)
    let (certain, most) = (plan.losses.certain, plan.losses.most)
    let lost =
      most == 0
      ? "nothing is lost"
      : "\(certain < most ? "at most " : "")\(most.grouped) \(most == 1 ? "object, value or link is" : "objects, values and links are") lost"
    if plan.hasSeveralLegs { return "\(plan.steps.count) steps; \(lost)" }
    let number = Set(entities.map(\.entity)).count
    return "\(number) \(number == 1 ? "entity" : "entities"): \(entities.counts); \(lost)"
  }

  /// The losses, before everything else.
  private var losses: [String] {
    guard !plan.losses.isEmpty else { return ["", "nothing of the source is lost"] }
    return [""] + lossTable.lines(indent: 2) + allowance
  }

  var lossTable: TextTable {
    let isOneStep = plan.steps.count == 1
    var table = TextTable(.right("LOST"), .left("OF"), .left("WHY"))
    for loss in extent == .full ? plan.losses : plan.losses.folded {
      table.append(
        Self.bound(ifUpper: loss.isUpperBound) + loss.count.grouped,
        loss.subject,
        (isOneStep ? "" : "step \(loss.step): ") + loss.reason
      )
    }
    return table
  }

  /// The limit of losses that a run has, and the one that it needs.
  var allowance: [String] {
    plan.losses.neededLimit.map {
      ["", "run refuses this loss unless you allow it: --max-loss \($0)"]
    } ?? []
  }

  private var passes: [String] {
    let shown = plan.passes.filter { extent == .full || $0.hasWork }
    let hidden = plan.passes.count - shown.count
    let note = "\(hidden) \(hidden == 1 ? "pass" : "passes") without rows; to see them, pass --full"
    return shown.flatMap(lines) + (hidden > 0 ? ["", note] : [])
  }

  private func lines(of pass: MigrationPlan.Pass) -> [String] {
    ["", title(of: pass)] + lines(of: pass.entities)
  }

  /// A pass in a line: its changes, rows, size and time.
  func title(of pass: MigrationPlan.Pass) -> String {
    let size = ByteCount(bytes: pass.estimatedBytes)
    let bound = Self.bound(ifUpper: pass.isUpperBound)
    let name = plan.passes.count > 1 ? ", \(pass.name)" : ""
    let objects = pass.entities.reduce(0) { $0 + ($1.change == .removed ? 0 : $1.rows) }
    let pairs = pass.rows > objects ? " (\((pass.rows - objects).grouped) pairs)" : ""
    return "pass \(pass.number) of \(plan.passes.count)\(name): \(pass.entities.counts); "
      + "\(bound)\(pass.rows.grouped) rows\(pairs), \(bound)about \(size), "
      + "\(bound)about \(duration(pass.estimatedSeconds))"
  }

  /// The changes of the steps after the first leg; their row counts are approximate.
  private var laterSteps: [String] {
    plan.steps.enumerated().flatMap { index, step -> [String] in
      guard let entities = step.entities else { return [] }
      let changed = entities.filter { $0.change != .copied }
      let rows = "\(Self.bound(ifUpper: step.isUpperBound))about \(step.rows.grouped) rows"
      return ["", "step \(index + 1), \(rows)"]
        + (changed.isEmpty ? ["  all entities copied"] : lines(of: changed))
    }
  }

  private func lines(of entities: [MigrationPlan.EntityChange]) -> [String] {
    let copied = entities.filter(isMerelyCopied)
    let isFolded = extent != .full && copied.count > Self.copiedLimit
    let names = Set(isFolded ? copied.map(\.entity) : [])
    let table = table(of: entities.filter { !names.contains($0.entity) })
    guard isFolded else { return table.lines(indent: 2) }
    return (copied.count == entities.count ? [] : table.lines(indent: 2))
      + ["    \(Self.sum(ofCopied: copied))"]
  }

  /// Copied entities in a line.
  static func sum(ofCopied entities: [MigrationPlan.EntityChange]) -> String {
    let rows = entities.reduce(0) { $0 + $1.rows }.grouped
    return
      "\(entities.count) \(entities.count == 1 ? "entity" : "entities") copied, \(rows) rows: \(entities.map(\.entity).joined(separator: ", "))"
  }

  /// A row for each entity, and one for each further detail of its change.
  func table(of entities: [MigrationPlan.EntityChange]) -> TextTable {
    var table = TextTable(.left("  ENTITY"), .right("ROWS"), .left("CHANGE"))
    for entity in extent == .full ? entities : grouped(entities) {
      let details = conditions(entity) + entity.details
      let first = details.first.map { ": \($0)" } ?? ""
      table.append(
        "\(entity.change.mark) \(entity.entity)",
        (entity.forEach == nil ? Self.bound(ifUpper: entity.isUpperBound) : "from ")
          + entity.rows.grouped,
        verb(entity) + first
      )
      for detail in details.dropFirst() { table.append("", "", "  \(detail)") }
    }
    return table
  }

  /// Whether every object of an entity is copied, and nothing more is to be said of it.
  func isMerelyCopied(_ entity: MigrationPlan.EntityChange) -> Bool {
    entity.change == .copied && conditions(entity) + entity.details == []
  }

  /// Entities that change in the same way, as subentities do by an attribute of their superentity, as one.
  private func grouped(
    _ entities: [MigrationPlan.EntityChange]
  ) -> [MigrationPlan.EntityChange] {
    let groups = Dictionary(grouping: entities.indices) { index -> [String] in
      let entity = entities[index]
      let isAlike =
        entity.change == .transformed && entity.from ?? entity.entity == entity.entity
        && entity.forEach == nil
      return isAlike ? conditions(entity) + entity.details : ["", "\(index)"]
    }
    return groups.values.sorted { $0[0] < $1[0] }.flatMap { indices in
      let alike = indices.map { entities[$0] }
      guard alike.count > Self.alikeLimit, var one = alike.first else { return alike }
      one.entity += " and \(alike.count - 1) others"
      one.rows = alike.reduce(0) { $0 + $1.rows }
      one.isUpperBound = alike.contains { $0.isUpperBound == true } ? true : nil
      one.details.append("all of " + alike.map(\.entity).joined(separator: ", "))
      return [one]
    }
  }

  private func conditions(_ entity: MigrationPlan.EntityChange) -> [String] {
    [
      entity.filter.map { "only where \($0)" },
      entity.policy.map { "by policy \($0)" },
      entity.forEach.map { "for each of \($0)" },
      entity.unique.map {
        "unique by \($0.joined(separator: ", ")); keep \(entity.keep ?? "first")"
      },
    ].compactMap(\.self)
  }

  private func verb(_ entity: MigrationPlan.EntityChange) -> String {
    switch entity.change {
    case .copied: "copied"
    case .renamed: "renamed from \(entity.from ?? "another name")"
    case .transformed: "changed"
    case .made: "made from \(entity.from ?? "another entity")"
    case .added: "added"
    case .removed:
      "removed" + (entity.rowsLost == 0 ? "" : ", \(entity.rowsLost.grouped) rows are lost")
    }
  }

  private var carried: [String] {
    let tables = plan.carried.tables.map { "table \($0.name), \($0.rows.grouped) rows" }
    let all = tables + plan.carried.columnTitles + plan.carried.objects
    guard !all.isEmpty else { return [] }
    let computed = plan.carried.computed ?? []
    return ["", "unmanaged data, copied"] + all.map { "  \($0)" }
      + (computed.isEmpty ? [] : ["", "computed for every row, as the source says"])
      + computed.map { "  \($0)" }
  }

  private var warnings: [String] {
    plan.warnings.isEmpty ? [] : ["", "Warnings"] + plan.warnings.map { "  \($0)" }
  }

  private func duration(_ seconds: Double) -> String { Duration.seconds(seconds).short }
}

extension PlanText {
  /// How a line stands out on a terminal: by the mark of its entity, or because it is to be looked at first.
  static func style(of line: String) -> TextStyle? {
    if line.hasPrefix("  + ") { return .green }
    if line.hasPrefix("  ~ ") { return .yellow }
    if line.hasPrefix("  - ") { return .red }
    return line == "Warnings" || line.hasPrefix("pass ") ? .bold : nil
  }
}

extension MigrationPlan.EntityChange.Kind {
  /// Whether objects come, change, go or stay as they are, in a character.
  fileprivate var mark: Character {
    switch self {
    case .added, .made: "+"
    case .transformed, .renamed: "~"
    case .removed: "-"
    case .copied: " "
    }
  }
}

extension PlanText {
  /// The smallest memory limit, its division, and the additional needs of passes.
  private var memory: [String] {
    guard let smallestLimit else { return [] }
    let held = smallestLimit - plan.leastMemory
    let all = [("what it holds at the beginning", held)] + plan.memory.shares.map(part)
    return ["", "memory       at least \(smallestLimit), of which"]
      + all.map { "  \($0.1)  \($0.0)" }
      + plan.passes.flatMap(memory) + largestRow
  }

  private func memory(of pass: MigrationPlan.Pass) -> [String] {
    pass.memory.map { share in
      let part = part(share)
      return "  \(part.1)  \(part.0), in pass \(pass.number)"
    }
  }

  private var largestRow: [String] {
    let streamed = plan.memory.streamedTables.map {
      "  large values of \($0) are streamed and not held"
    }
    guard let row = plan.memory.largestRow else { return streamed }
    return streamed + [
      "  \(row.property) of \(row.entity) \(row.key) has \(ByteCount(bytes: row.bytes)) and must be held"
    ]
  }

  private func part(_ share: MemoryShare) -> (String, ByteCount) {
    (share.use.phrase, ByteCount(bytes: share.leastBytes))
  }
}

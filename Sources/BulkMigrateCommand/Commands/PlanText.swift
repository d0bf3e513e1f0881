internal import BulkPlan
import BulkSupport
import BulkExecute

struct PlanText {
  let plan: MigrationPlan
  private let smallestLimit: ByteCount?
  let extent: Extent

  enum Extent {
    case summary
    /// The entities of passes that have something to do; many that are only copied in a line.
    case entities
    /// All entities, how the memory is divided, and which tables SQLite fills.
    case full
  }

  static let fullLimit = 20
  private static let copiedLimit = 3

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

  func lines(isMarkdown: Bool = false) -> [String] {
    var page = Document(isMarkdown: isMarkdown)
    page.addFacts(head)
    page.addList("Warnings", plan.warnings)
    guard !plan.isUpToDate else {
      page.addSentence("The store fits this model already: nothing to do.")
      return page.lines
    }
    addLosses(to: &page)
    addRoute(to: &page)
    if extent == .summary { addPassTable(to: &page) } else { addPasses(to: &page) }
    addLaterSteps(to: &page)
    if extent != .summary {
      page.addList(
        "unmanaged data, copied",
        plan.carried.tables.map { "table \($0.name), \($0.rows.grouped) rows" }
          + plan.carried.columnTitles + plan.carried.objects
      )
      page.addList("computed for every row, as the source says", plan.carried.computed ?? [])
    }
    if extent == .full {
      page.addList(
        "memory       --max-memory of at least \(smallestLimit ?? .zero), of which",
        memory
      )
    }
    let limit = extent == .full ? nil : smallestLimit
    var facts: [Document.Fact] = []
    if let limit { facts.append(("memory", "--max-memory of at least \(limit)")) }
    if let strategy = plan.strategy {
      facts.append(("strategy", "\(strategy.kind.rawValue): \(strategy.reason)"))
    }
    page.addFacts(facts + [("total", total)])
    page.addSentence(sum, isApart: false)
    if extent == .summary { page.addSentence("to see every entity, pass --full", isApart: false) }
    return page.lines
  }

  // MARK: Stores and models

  private var head: [Document.Fact] {
    let through =
      plan.hasSeveralLegs ? [] : plan.steps.dropFirst().map { ("through", name(of: $0.source)) }
    // The entities that a configuration leaves to other stores.
    let elsewhere = (plan.destination.elsewhere ?? []).map { other in
      let names = other.configurations.joined(separator: ", ")
      return ("  elsewhere", "\(other.entity)\(names.isEmpty ? "" : " (\(names))")")
    }
    return [
      ("source", "\(plan.source.store)  (\(ByteCount(bytes: plan.source.bytes)))"),
      ("  model", name(of: plan.source.model)),
    ] + through + [
      ("destination", plan.destination.store), ("  model", name(of: plan.destination.model)),
    ] + elsewhere + [("mapping", mapping)] + stepsAsOne
  }

  private var stepsAsOne: [Document.Fact] {
    guard !plan.hasSeveralLegs, plan.steps.count > 1, !isInferred else { return [] }
    return plan.steps.map { ("", "  to \(shortName(of: $0.destination)): \(text(of: $0.mapping))") }
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

  // MARK: Losses and steps

  private func addLosses(to page: inout Document) {
    guard !plan.losses.isEmpty else {
      let name = plan.hasSeveralLegs ? " in leg 1" : ""
      return page.addSentence("nothing of the source is lost\(name)")
    }
    let isOneStep = plan.steps.count == 1
    page.add(
      (extent == .full ? plan.losses : plan.losses.folded).textTable(
        (.right("LOST"), { Self.bound(ifUpper: $0.isUpperBound) + $0.count.grouped }),
        (.left("OF"), { $0.subject }),
        (.left("WHY"), { (isOneStep ? "" : "step \($0.step): ") + $0.reason })
      ),
      indent: 2,
      isApart: true
    )
    if let limit = plan.losses.neededLimit {
      page.addSentence("run refuses this loss unless you allow it: --max-loss \(limit)")
    }
    if plan.losses.certain < plan.losses.most {
      page.addSentence("run counts what may be lost, and publishes nothing until you allow it")
    }
  }

  private func addRoute(to page: inout Document) {
    guard plan.hasSeveralLegs else { return }
    page.add(
      zip(1..., plan.steps).textTable(
        (.right("STEP"), { "\($0.0)" }),
        (.left("FROM"), { shortName(of: $0.1.source) }),
        (.left("TO"), { shortName(of: $0.1.destination) }),
        (.left("MAPPING"), { text(of: $0.1.mapping) })
      ),
      indent: 2,
      isApart: true
    )
    for (index, (range, leg)) in zip(plan.ranges, plan.legs).enumerated() {
      let how = range.count > 1 ? "are done as one" : "is done by itself"
      page.addSentence("\(Self.title(range)) \(how)", isApart: index == 0)
      for boundary in leg.boundary {
        page.addSentence("because \(boundary)", indent: 2, isApart: false)
      }
      if index > 0 {
        let counted = "its rows and losses are counted when its source exists"
        page.addSentence(counted, indent: 2, isApart: false)
      }
    }
    page.addSentence(Self.title(plan.ranges[0]))
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
    let names = files.map { " and \($0.count.phrase("file"))" } ?? ""
    let about = plan.hasSeveralLegs ? "about " : ""
    let size = plan.sizeOfAllLegs + ByteCount(bytes: files?.bytes ?? 0)
    return "\(bound)\(about)\(plan.rowsOfAllLegs.grouped) rows\(names), "
      + "\(bound)about \(size), \(bound)about \(duration(plan.estimatedSeconds))"
  }

  static func bound(ifUpper isUpperBound: Bool?) -> String {
    isUpperBound == true ? "at most " : ""
  }

  private func name(of model: MigrationPlan.ModelInput) -> String {
    (model.isInStore ? "kept in \(model.path)" : model.path)
      + (model.configuration.map { ", configuration \($0)" } ?? "")
  }

  private var sum: String {
    let entities = plan.passes.flatMap(\.entities)
    let (certain, most) = (plan.losses.certain, plan.losses.most)
    let lost =
      most == 0
      ? "nothing is lost"
      : (certain < most ? "at most " : "")
        + most.phrase("object, value or link is", "objects, values and links are") + " lost"
    if let later = plan.uncountedLosses {
      return "\(plan.steps.count) steps; \(lost) in leg 1; \(later)"
    }
    let number = Set(entities.map(\.entity)).count.phrase("entity", "entities")
    return "\(number): \(entities.counts); \(lost)"
  }

  // MARK: Passes

  private func addPasses(to page: inout Document) {
    let shown = plan.passes.filter { extent == .full || $0.hasWork }
    for pass in shown {
      page.addSentence(title(of: pass))
      add(pass.entities, to: &page)
    }
    let hidden = plan.passes.count - shown.count
    if hidden > 0 {
      let passes = hidden.phrase("pass", "passes")
      page.addSentence("\(passes) without rows; to see them, pass --full")
    }
  }

  private func addPassTable(to page: inout Document) {
    let shown = plan.passes.filter(\.hasWork)
    let hidden = plan.passes.count - shown.count
    if !shown.isEmpty {
      page.add(
        shown.textTable(
          (.right("PASS"), { "\($0.number)" }),
          (.left("NAME"), { $0.name }),
          (.right("ENTITIES"), { "\($0.entities.count)" }),
          (.right("ROWS"), { Self.bound(ifUpper: $0.isUpperBound) + $0.rows.grouped }),
          (.right("BYTES"), { "\(ByteCount(bytes: $0.estimatedBytes))" }),
          (.left("CHANGES"), { $0.changes })
        ),
        indent: 2,
        isApart: true
      )
    }
    if hidden > 0 {
      page.addSentence(
        "\(hidden) of \(plan.passes.count) passes have no rows",
        indent: 2,
        isApart: shown.isEmpty
      )
    }
  }

  private func title(of pass: MigrationPlan.Pass) -> String {
    let size = ByteCount(bytes: pass.estimatedBytes)
    let bound = Self.bound(ifUpper: pass.isUpperBound)
    let name = plan.passes.count > 1 ? ", \(pass.name)" : ""
    let objects = pass.entities.reduce(0) { $0 + ($1.change == .removed ? 0 : $1.rows) }
    let pairs = pass.rows > objects ? " (\((pass.rows - objects).grouped) pairs)" : ""
    return "pass \(pass.number) of \(plan.passes.count)\(name): \(pass.entities.counts); "
      + "\(bound)\(pass.rows.grouped) rows\(pairs), \(bound)about \(size), "
      + "\(bound)about \(duration(pass.estimatedSeconds))"
  }

  /// The changes of the steps after the first leg, whose rows are not counted yet.
  private func addLaterSteps(to page: inout Document) {
    for (number, step) in zip(1..., plan.steps) {
      guard let entities = step.entities else { continue }
      let changed = entities.filter { $0.change != .copied }
      page.addSentence("step \(number)")
      if changed.isEmpty {
        page.addSentence("all entities copied", indent: 2, isApart: false)
      } else {
        page.add(table(of: changed, isCounted: false), indent: 2)
      }
    }
  }

  private func add(_ entities: [MigrationPlan.EntityChange], to page: inout Document) {
    let copied = entities.filter(isMerelyCopied)
    let isFolded = extent != .full && copied.count > Self.copiedLimit
    let shown = isFolded ? entities.filter { !isMerelyCopied($0) } : entities
    if !isFolded || !shown.isEmpty { page.add(table(of: shown), indent: 2) }
    if isFolded { page.addSentence(Self.sum(ofCopied: copied), indent: 4, isApart: false) }
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

extension PlanText {
  /// How the smallest memory limit is divided, and what passes need beyond it.
  private var memory: [String] {
    guard let smallestLimit else { return [] }
    func line(_ use: String, _ size: ByteCount) -> String { "\(size)  \(use)" }
    func line(_ share: MemoryShare, _ ending: String = "") -> String {
      line(share.use.phrase + ending, ByteCount(bytes: share.leastBytes))
    }
    return [line("what it holds at the beginning", smallestLimit - plan.leastMemory)]
      + plan.memory.shares.map { line($0) }
      + plan.passes.flatMap { pass in pass.memory.map { line($0, ", in pass \(pass.number)") } }
      + plan.memory.streamedTables.map { "large values of \($0) are streamed and not held" }
      + (plan.memory.largestRow.map {
        [
          "\($0.property) of \($0.entity) \($0.key) has \(ByteCount(bytes: $0.bytes)) and must be held"
        ]
      } ?? [])
  }
}

extension MigrationPlan.Pass {
  var hasWork: Bool { rows > 0 || entities.contains { $0.rowsLost > 0 } }

  private static let nameLimit = 4

  fileprivate var changes: String {
    entities.kinds.map { kind, word, names in
      guard kind != .copied, names.count <= Self.nameLimit else { return "\(names.count) \(word)" }
      return "\(names.joined(separator: ", ")) \(word)"
    }.joined(separator: "; ")
  }
}

extension PassUse {
  func line(of count: Int) -> String {
    let memory = memory.map { ", memory \($0)" } ?? ""
    let step = step.map { "step \($0), " } ?? ""
    return
      "\(step)pass \(number) of \(count), \(name): \(rows.phrase("row")), "
      + "in \(Duration.seconds(seconds).short)\(memory)"
  }
}

extension PlanText {
  private static let alikeLimit = 2

  static func sum(ofCopied entities: [MigrationPlan.EntityChange]) -> String {
    let rows = entities.reduce(0) { $0 + $1.rows }.grouped
    return "\(entities.count.phrase("entity", "entities")) copied, \(rows) rows: "
      + entities.map(\.entity).joined(separator: ", ")
  }

  func table(
    of entities: [MigrationPlan.EntityChange],
    isCounted: Bool = true
  ) -> TextTable {
    var table =
      isCounted
      ? TextTable(.left("  ENTITY"), .right("ROWS"), .left("CHANGE"))
      : TextTable(.left("  ENTITY"), .left("CHANGE"))
    for entity in extent == .full ? entities : grouped(entities) {
      let details = conditions(entity) + entity.details
      let first = details.first.map { ": \($0)" } ?? ""
      let bound = entity.forEach == nil ? Self.bound(ifUpper: entity.isUpperBound) : "from "
      let rows = isCounted ? [bound + entity.rows.grouped] : []
      table.append(["\(entity.change.mark) \(entity.entity)"] + rows + [verb(entity) + first])
      for detail in details.dropFirst() {
        table.append([""] + rows.map { _ in "" } + ["  \(detail)"])
      }
    }
    return table
  }

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
}

extension MigrationPlan.EntityChange.Kind {
  fileprivate var mark: Character {
    switch self {
    case .added, .made: "+"
    case .transformed, .renamed: "~"
    case .removed: "-"
    case .copied: " "
    }
  }
}

extension [MigrationPlan.EntityChange] {
  var kinds: [(MigrationPlan.EntityChange.Kind, word: String, names: [String])] {
    let words: [(MigrationPlan.EntityChange.Kind, String)] = [
      (.transformed, "changed"), (.made, "made"), (.renamed, "renamed"), (.added, "added"),
      (.removed, "removed"), (.copied, "copied"),
    ]
    return words.compactMap { kind, word in
      // Several mappings may lead to one entity.
      var names: [String] = []
      for entity in self where entity.change == kind && !names.contains(entity.entity) {
        names.append(entity.entity)
      }
      return names.isEmpty ? nil : (kind, word, names)
    }
  }

  var counts: String {
    kinds.map { "\($0.names.count) \($0.word)" }.joined(separator: ", ")
  }
}

internal import BulkSupport
internal import BulkExecute
internal import BulkPlan
internal import BulkStore

/// The sections of a page, each a function of what is known; one that would show nothing is empty.
extension ReportPage {
  func lossSection(rows: Int) -> [Markup] {
    guard !plan.isUpToDate else { return [] }
    let folded = knownLosses.folded
    let uncounted = losses == nil ? plan.uncountedLosses : nil
    let later = uncounted.map { " These are the losses of leg 1; \($0)." } ?? ""
    guard !folded.isEmpty else {
      let none = "Nothing of the source is lost\(uncounted.map { " in leg 1; \($0)" } ?? "")."
      return [.section("Losses", [.tag("p", class: "calm", .text(none))])]
    }
    let how =
      losses != nil
      ? "As counted while it ran."
      : isDone
        ? "As planned; the counts of the run were not kept."
        : "As the plan says; what it could not count is shown with “at most”."
    let table = PageTable(
      "What is lost",
      folded,
      .numbers("Lost") { "\($0.isUpperBound == true ? "at most " : "")\($0.count.grouped)" },
      .words("Of") { $0.subject },
      .words("Why") { $0.reason },
      .numbers("Step") { "\($0.step)" }
    )
    return [
      .section("Losses", [.tag("p", .text(how + later)), table.cut(to: max(rows, 25)).markup])
    ]
  }

  /// The objects that cannot be migrated as they are: those that were left out, or those that ended the run.
  var rejectSection: [Markup] {
    if let rejects {
      let files = PageTable(
        "Objects that were left out",
        rejects.lines.sorted { $0.key < $1.key },
        .words("Source entity") { $0.key },
        .numbers("Objects") { $0.value.grouped },
        .words("File") { "rejects/\($0.key).jsonl" }
      )
      let reasons = (rejects.reasons ?? []).map { reason -> RejectReason in
        let first = (reason.first ?? []).map { ("\($0.key)", $0.value) }
        return (reason.entity, reason.property, reason.rule, reason.count, first)
      }
      return Self.rejectSection(
        "\(rejects.count.grouped) \(rejects.count == 1 ? "object was" : "objects were") left out: a rule of the model is "
          + "broken, an expression has no value, or a required link leads to such an object. The state directory has "
          + "their reasons and source values; rejects show prints them, and rejects replay brings them in.",
        "Why they were left out",
        reasons,
        [files]
      )
    }
    guard let violations = record.violationSummary else { return [] }
    let reasons = violations.rules.map { rule -> RejectReason in
      let first = rule.first.map {
        ($0.source.map { "\($0.entity) \($0.key)" } ?? "\($0.key)", $0.value)
      }
      return (rule.name.entity, rule.name.property, rule.name.rule, rule.count, first)
    }
    return Self.rejectSection(
      "These objects ended the run, and no destination was made. All of them are in \(violations.path); run "
        + "--on-error quarantine leaves them out.",
      "Why they cannot be migrated",
      reasons,
      []
    )
  }

  /// A reason for which objects cannot be migrated, with the first of them and their values at fault.
  private typealias RejectReason = (
    entity: String, property: String, rule: String, count: Int64,
    first: [(object: String, value: String?)]
  )

  private static func rejectSection(
    _ sentence: String,
    _ caption: String,
    _ reasons: [RejectReason],
    _ tables: [PageTable]
  ) -> [Markup] {
    let table = PageTable(
      caption,
      reasons,
      .words("Entity") { $0.entity },
      .words("Property") { $0.property },
      .words("Rule") { $0.rule },
      .numbers("Objects") { $0.count.grouped },
      .words("First objects") { reason in
        let shown = reason.first.prefix(5).map { object, value in
          value.map { "\(object): \($0)" } ?? object
        }
        let isAll = shown.isEmpty || Int64(shown.count) == reason.count
        return shown.joined(separator: ", ") + (isAll ? "" : ", …")
      }
    )
    let shown = ([table] + tables).filter { !$0.rows.isEmpty }.map { $0.cut(to: 100).markup }
    return [.section("Rejects", [.tag("p", sentence)] + shown)]
  }

  /// The passes: as planned and as carried out, and only so once all are done.
  func passSection(rows: Int) -> [Markup] {
    guard plan.passes.count > 1 else { return [] }
    let isRoute = passes.contains { $0.step != nil }
    let done = PageTable(
      "As carried out",
      passes,
      .words("Pass") { "\(isRoute ? "step \($0.step ?? 1), " : "")\($0.number) \($0.name)" },
      .numbers("Rows") { $0.rows.grouped },
      .numbers("Took") { Duration.seconds($0.seconds).short },
      .numbers("Most memory") { $0.memory.map { "\($0)" } ?? "" }
    )
    let planned = PageTable(
      "As planned and as carried out",
      plan.passes.map { pass in (pass: pass, use: passes.first { $0.number == pass.number }) },
      .words("Pass") { "\($0.pass.number) \($0.pass.name)" },
      .numbers("Rows") { ($0.use?.rows ?? $0.pass.rows).grouped },
      .numbers("Planned time") { "≈ \(Duration.seconds($0.pass.estimatedSeconds).short)" },
      .numbers("Took") { $0.use.map { Duration.seconds($0.seconds).short } ?? "" },
      .numbers("Most memory") { $0.use?.memory.map { "\($0)" } ?? "" },
      .words("Done") { $0.use?.isDone == true ? "yes" : $0.use == nil ? "no" : "in part" }
    )
    return (isDone ? done : planned).section("Passes", cut: max(rows, 100))
  }

  /// The memory that the plan needs, by use; nothing once it is known how much was held.
  var memorySection: [Markup] {
    let shares = plan.memory.shares + plan.passes.flatMap(\.memory)
    guard !shares.isEmpty, !isDone else { return [] }
    let uses = Dictionary(grouping: shares, by: \.use)
    let table = PageTable(
      "What the memory is for",
      MemoryUse.allCases.compactMap { use in uses[use].map { (use, $0) } },
      .words("Use") { $0.0.phrase },
      .numbers("At least") { "\(ByteCount(bytes: $0.1.map(\.leastBytes).max() ?? 0))" },
      .numbers("Useful up to") { "\(ByteCount(bytes: $0.1.map(\.mostBytes).max() ?? 0))" }
    )
    let sentence =
      "Beside what the program holds when it begins, the plan needs at least \(plan.leastMemory)."
    return [.section("Memory", [.tag("p", sentence), table.markup])]
  }

  func proofSection(rows: Int) -> [Markup] {
    guard let proof else { return [] }
    let isOfThisPlan = proof.plan == plan.fingerprint
    let sentence =
      isOfThisPlan
      ? "The destination was verified by the plan of this report."
      : "The proof is of another plan than this report, so it says nothing of this migration."
    let table = PageTable(
      "Rows of the destination, with their sums",
      proof.tables,
      .words("Table") { $0.table },
      .numbers("Rows") { $0.rows.grouped },
      .words("Sum") { "\($0.sum)" }
    )
    let terms = Markup.terms([
      ("level", proof.level.rawValue), ("rows compared", proof.rowsCompared.grouped),
      ("verified by", "bulkmigrate \(proof.tool)"), ("state of the source", proof.source.state),
      ("state of the destination", proof.destination.state),
    ])
    let sums = Markup.details("Sums of all tables", [table.cut(to: max(rows, 25)).markup])
    let result = Markup.tag("p", class: isOfThisPlan ? "calm" : "bad", sentence)
    return [.section("Verification", [result, terms, sums])]
  }

  var originSection: [Markup] {
    func text(_ model: MigrationPlan.ModelInput) -> String {
      "\(model.isInStore ? "kept in " : "")\(model.path), digest \(model.digest)"
    }
    let steps = plan.mappings.map { mapping in
      mapping.files.isEmpty ? "inferred" : mapping.files.joined(separator: ", ")
    }
    let mapping =
      steps.count > 1
      ? steps.enumerated().map { "step \($0 + 1): \($1)" }.joined(separator: "; ") : steps.joined()
    let strategy = plan.strategy.map { "\($0.kind.rawValue): \($0.reason)" }
    let command = measures?.attempts.last?.command
    let terms = [
      ("source", plan.source.store), ("state of the source", plan.source.identity),
      ("its model", text(plan.source.model)), ("destination", plan.destination.store),
      ("its model", text(plan.destination.model)), ("mapping", mapping),
      ("strategy", strategy ?? "all rows are rewritten"), ("plan", plan.fingerprint),
    ]
    let all = Markup.terms(terms + (command.map { [("command", $0)] } ?? []))
    let footer = "Written by \(ToolVersion.withLibrary). Nothing is loaded from elsewhere."
    return [
      .section("Where this comes from", [all] + attemptTable),
      .tag("footer", .tag("p", footer)),
    ]
  }

  private var attemptTable: [Markup] {
    guard let attempts = measures?.attempts, !attempts.isEmpty else { return [] }
    let omitted = attempts.reduce(0) { $0 + $1.omitted }
    let table = PageTable(
      omitted == 0
        ? "Every process that worked on it"
        : "Processes that worked on it; \(omitted) are not listed",
      attempts,
      .numbers("Begun") { Date(timeIntervalSinceReferenceDate: $0.began).formatted(.iso8601) },
      .numbers("Memory limit") { "\(ByteCount(bytes: $0.memoryLimit))" },
      .numbers("Peak") { $0.peakMemory.map { "\(ByteCount(bytes: $0))" } ?? "" },
      .words("Program") { $0.tool },
      .words("System") { $0.system },
      .words("Command") { $0.command ?? "" }
    )
    return [table.markup]
  }
}

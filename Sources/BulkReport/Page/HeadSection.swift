internal import BulkVersions
internal import BulkExecute
internal import BulkCoding
internal import BulkPlan

/// The head of a page: which store becomes which, how far it is, and the numbers that matter most.
struct HeadSection {
  let facts: ReportFacts
  private var plan: MigrationPlan { facts.plan }

  var markup: [Markup] {
    let (word, style, sentence) = state
    let head: [Markup?] = [
      Self.title(plan.source.store, plan.destination.store),
      Self.status(word, style: style, sentence), reason, figures,
    ]
    return [.tag("header", [:], head.compactMap(\.self)), warnings].compactMap(\.self)
  }

  /// The title of a page: the store that becomes another.
  static func title(_ source: String, _ destination: String) -> Markup {
    .tag(
      "h1",
      .tag("span", class: "store", FileName.of(source)),
      .tag("span", ["class": "arrow", "aria-label": "becomes"], [.text(" → ")]),
      .tag("span", class: "store", FileName.of(destination))
    )
  }

  /// The word for a state, with a sentence behind it.
  static func status(_ word: String, style: String, _ sentence: String) -> Markup {
    .tag(
      "p",
      class: "status",
      .tag("strong", class: "state \(style)", word),
      .text(" "),
      .tag("span", sentence)
    )
  }

  /// The lines of an error after the first one, unless a table has them.
  private var reason: Markup? {
    guard case .failed(let text, _) = facts.state, facts.violations == nil else { return nil }
    return ErrorText(text).markup
  }

  private var state: (String, String, String) {
    if plan.isUpToDate {
      return ("nothing to do", "good", "The store fits the model of the destination already.")
    }
    switch facts.state {
    case .planned: return ("planned", "neutral", "Nothing is begun. \(models)")
    case .running:
      let requests = (facts.control?.phrases ?? []).map { ", \($0)" }.joined()
      return ("running", "neutral", "A process works on it\(requests). \(models)")
    case .interrupted:
      return ("interrupted", "fair", "What is done is kept; resume continues it. \(models)")
    case .failed(let reason, _): return ("failed", "bad", ErrorText(reason).title)
    case .done where facts.rejects == nil: return ("done", "good", models)
    case .done: return ("done, with rejects", "fair", models)
    }
  }

  private var models: String {
    let way = plan.steps.count > 1 ? ", \(plan.steps.count) steps" : ""
    return
      "Model: \(Self.name(of: plan.source.model)) to \(Self.name(of: plan.destination.model))\(way)."
  }

  private static func name(of model: MigrationPlan.ModelInput) -> String {
    model.isInStore ? "the one kept in the store" : FileName.of(model.path)
  }

  // MARK: Figures

  private var figures: Markup {
    Figure.list([rows, bytes, time, memory, lost, rejected, attempts].compactMap(\.self))
  }

  private var rows: Figure? {
    let total = plan.rowsOfAllLegs.grouped
    let legs = plan.legsPhrase
    guard let done = facts.rows else {
      guard !facts.isDone else { return nil }
      let note = (plan.isUpperBound ? "planned, at most" : "planned") + legs
      return Figure("Rows", total, note: note)
    }
    let note =
      facts.isDone
      ? "with pairs of join tables" : "of \(total)\(legs), by the last checkpoint"
    return Figure("Rows", done.grouped, note: note)
  }

  private var bytes: Figure {
    let source = ByteCount(bytes: plan.source.bytes)
    guard let size = facts.size else {
      return Figure("Source", "\(source)", note: "the store that is only read")
    }
    return Figure("Destination", "\(size)", note: "made of \(source)")
  }

  private var time: Figure? {
    guard let measures = facts.measures, measures.samples.count > 1 else {
      guard !plan.isUpToDate, !facts.isDone else { return nil }
      return Figure(
        "Time",
        "≈ \(Duration.seconds(plan.estimatedSeconds).short)",
        note: "by the plan"
      )
    }
    let rate = facts.rows.map { Double($0) / max(measures.seconds, 0.001) }
    return Figure(
      "Time",
      Duration.seconds(measures.seconds).short,
      note: rate.map { "\(Int64($0).grouped) rows a second" } ?? "of work"
    )
  }

  private var memory: Figure? {
    guard let measures = facts.measures, let peak = measures.peakMemory,
      let limit = facts.memoryLimit
    else { return nil }
    return Figure("Peak memory", "\(peak)", note: "limit \(limit)")
  }

  private var lost: Figure? {
    guard facts.losses != nil || !facts.isDone else { return nil }
    let losses = facts.knownLosses.filter(\.isLimited)
    let count = losses.most
    let isMost = losses.contains { $0.isUpperBound == true }
    let what = isMost && count > 0 ? "at most" : "objects, values and links"
    let note = facts.losses == nil ? "planned: \(what)" : what
    return Figure(
      "Lost",
      count == 0 ? "nothing" : count.grouped,
      note: note,
      style: count == 0 ? "figure good" : "figure bad"
    )
  }

  private var rejected: Figure? {
    facts.rejects.map {
      Figure("Rejected", $0.count.grouped, note: "kept, with reasons", style: "figure fair")
    }
  }

  private var attempts: Figure? {
    guard let measures = facts.measures, measures.attemptCount > 1 else { return nil }
    return Figure("Attempts", Int64(measures.attemptCount).grouped, note: "interrupted and resumed")
  }

  // MARK: Warnings

  private var warnings: Markup? {
    let all = facts.warnings + plan.warnings
    guard !all.isEmpty else { return nil }
    let title =
      facts.isDone && facts.warnings.isEmpty
      ? "The plan warned" : all.count == 1 ? "A warning" : "Warnings"
    return .tag("section", class: "warnings", .tag("h2", title), .list(all))
  }
}

/// The text of an error: its first line, and what follows.
struct ErrorText {
  let title: String
  let rest: String

  init(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
    let first = lines.first ?? ""
    title = first.hasSuffix(":") ? String(first.dropLast()) : first
    rest = lines.dropFirst().joined()
  }

  var markup: Markup? { rest.isEmpty ? nil : .tag("p", class: "reason", rest) }
}

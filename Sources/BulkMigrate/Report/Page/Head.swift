internal import BulkPlan
internal import BulkExecute
internal import BulkSupport

extension ReportPage {
  /// The head of a page: which store becomes which, how far it is, and the numbers that matter most.
  var head: [Markup] {
    let (word, style, sentence) = stateText
    let title = Markup.tag(
      "h1",
      .tag("span", class: "store", plan.source.store.fileName),
      .tag("span", ["class": "arrow", "aria-label": "becomes"], [.text(" → ")]),
      .tag("span", class: "store", plan.destination.store.fileName)
    )
    var head = [title, Markup.status(word, style: style, sentence)]
    // A table has the rest of an error about violations.
    if let text = failure, record.violationSummary == nil, !ErrorText(text).rest.isEmpty {
      head.append(.tag("p", class: "reason", ErrorText(text).rest))
    }
    let numbers = [rowFigure, sizeFigure, timeFigure, memoryFigure, lossFigure, rejectFigure]
    if let verification = record.verification {
      let style = verification.isVerified ? "calm" : "reason"
      head.append(.tag("p", class: style, "Verified, \(verification.sentence)."))
    }
    head.append(.figures((numbers + [attemptFigure]).compactMap(\.self)))
    return [.tag("header", [:], head)] + warningSection
  }

  private var stateText: (String, String, String) {
    if plan.isUpToDate {
      return ("nothing to do", "good", "The store fits the model of the destination already.")
    }
    if let failure { return ("failed", "bad", ErrorText(failure).title) }
    switch record.state {
    case .none: return ("planned", "neutral", "Nothing is begun. \(models)")
    case .running:
      let requests = (record.control?.phrases ?? []).map { ", \($0)" }.joined()
      return ("running", "neutral", "A process works on it\(requests). \(models)")
    case .interrupted, .abandoned:
      return ("interrupted", "fair", "What is done is kept; resume continues it. \(models)")
    case .done where rejects == nil: return ("done", "good", models)
    case .done: return ("done, with rejects", "fair", models)
    }
  }

  private var models: String {
    let way = plan.steps.count > 1 ? ", \(plan.steps.count) steps" : ""
    func name(_ model: MigrationPlan.ModelInput) -> String {
      model.isInStore ? "the one kept in the store" : model.path.fileName
    }
    return "Model: \(name(plan.source.model)) to \(name(plan.destination.model))\(way)."
  }

  // MARK: Figures

  private var rowFigure: Markup? {
    let (total, legs) = (plan.rowsOfAllLegs.grouped, plan.legsPhrase)
    guard let rows else {
      guard !isDone else { return nil }
      return .figure(
        "Rows",
        total,
        note: (plan.isUpperBound ? "planned, at most" : "planned") + legs
      )
    }
    return .figure(
      "Rows",
      rows.grouped,
      note: isDone
        ? "with pairs of join tables"
        : (rows > plan.rowsOfAllLegs ? "" : "of \(total)\(legs), ") + "by the last checkpoint"
    )
  }

  private var sizeFigure: Markup {
    let source = "\(ByteCount(bytes: plan.source.bytes))"
    guard let bytes = record.bytes else {
      return .figure("Source", source, note: "the store that is only read")
    }
    return .figure("Destination", "\(ByteCount(bytes: bytes))", note: "made of \(source)")
  }

  private var timeFigure: Markup? {
    guard let measures, measures.samples.count > 1 else {
      guard !plan.isUpToDate, !isDone else { return nil }
      let time = Duration.seconds(plan.estimatedSeconds).short
      return .figure("Time", "≈ \(time)", note: "by the plan")
    }
    let rate = rows.map { Double($0) / max(measures.seconds, 0.001) }
    return .figure(
      "Time",
      Duration.seconds(measures.seconds).short,
      note: rate.map { "\(Int64($0).grouped) rows a second" } ?? "of work"
    )
  }

  private var memoryFigure: Markup? {
    guard let peak = measures?.peakMemory, let limit = measures?.attempts.last?.memoryLimit else {
      return nil
    }
    return .figure("Peak memory", "\(peak)", note: "limit \(ByteCount(bytes: limit))")
  }

  private var lossFigure: Markup? {
    guard losses != nil || !isDone else { return nil }
    let limited = knownLosses.filter(\.isLimited)
    let count = limited.most
    let isMost = limited.contains { $0.isUpperBound == true }
    let what = isMost && count > 0 ? "at most" : "objects, values and links"
    return .figure(
      "Lost",
      count == 0 ? "nothing" : count.grouped,
      note: losses == nil ? "planned\(plan.hasSeveralLegs ? " for leg 1" : ""): \(what)" : what,
      style: count > 0 ? " bad" : losses == nil && plan.hasSeveralLegs ? "" : " good"
    )
  }

  private var rejectFigure: Markup? {
    rejects.map {
      .figure("Rejected", $0.count.grouped, note: "kept, with reasons", style: " fair")
    }
  }

  private var attemptFigure: Markup? {
    guard let measures, measures.attemptCount > 1 else { return nil }
    let count = Int64(measures.attemptCount).grouped
    return .figure("Attempts", count, note: "interrupted and resumed")
  }

  private var warningSection: [Markup] {
    let all = warnings + plan.warnings
    guard !all.isEmpty else { return [] }
    let title =
      isDone && warnings.isEmpty
      ? "The plan warned" : all.count == 1 ? "A warning" : "Warnings"
    let list = Markup.tag("ul", [:], all.map { .tag("li", $0) })
    return [.section(title, class: "warnings", [list])]
  }
}

internal import BulkExecute
internal import BulkCoding
internal import BulkPlan
internal import BulkStore
internal import BulkVerify

/// The passes, as planned and as carried out.
struct PassSection {
  let facts: ReportFacts
  let rows: Int

  var markup: [Markup] {
    let plan = facts.plan
    guard plan.passes.count > 1 else { return [] }
    var table = PageTable(
      caption: "As planned and as carried out",
      columns: [
        .words("Pass"), .numbers("Rows"), .numbers("Planned time"), .numbers("Took"),
        .numbers("Most memory"), .words("Done"),
      ]
    )
    table.rows = plan.passes.map { pass in
      let use = facts.passes.first { $0.number == pass.number }
      let isDone = facts.state == .done || use?.isDone == true
      return [
        "\(pass.number) \(pass.name)", (use?.rows ?? pass.rows).grouped,
        "≈ \(Duration.seconds(pass.estimatedSeconds).short)",
        use.map { Duration.seconds($0.seconds).short } ?? "", use?.memory.map { "\($0)" } ?? "",
        isDone ? "yes" : use == nil ? "no" : "in part",
      ]
    }
    return [.section("Passes", [table.cut(to: max(rows, 100)).markup])]
  }
}

/// What memory the plan needs, use by use.
struct MemorySection {
  let facts: ReportFacts

  var markup: [Markup] {
    let plan = facts.plan
    let shares = plan.memory.shares + plan.passes.flatMap(\.memory)
    guard !shares.isEmpty else { return [] }
    var table = PageTable(
      caption: "What the memory is for",
      columns: [.words("Use"), .numbers("At least"), .numbers("Useful up to")]
    )
    let uses = Dictionary(grouping: shares, by: \.use)
    table.rows = MemoryUse.allCases.compactMap { use in
      guard let own = uses[use] else { return nil }
      return [
        use.sentence, "\(ByteCount(bytes: own.map(\.leastBytes).max() ?? 0))",
        "\(ByteCount(bytes: own.map(\.mostBytes).max() ?? 0))",
      ]
    }
    return [
      .section(
        "Memory",
        [
          .tag(
            "p",
            [:],
            "Beside what the program holds when it begins, the plan needs at least \(plan.leastMemory)."
          ), table.markup,
        ]
      )
    ]
  }
}

extension MemoryUse {
  /// The use in words.
  fileprivate var sentence: String {
    switch self {
    case .program: "code and data as the work proceeds"
    case .models: "models, schemas and statements"
    case .destinationCache: "cache of the destination"
    case .sourceCache: "cache of the source"
    case .sorter: "sorting for indexes"
    case .temporaryTables: "tables in which policies find objects"
    case .log: "pages of the log beside the source"
    case .check: "reading the source through meanwhile"
    case .associations: "association tables"
    case .rows: "rows that are evaluated"
    case .largestRow: "the largest row"
    }
  }
}

/// What of the source the destination lacks.
struct LossSection {
  let facts: ReportFacts
  let rows: Int

  var markup: [Markup] {
    guard !facts.plan.isUpToDate else { return [] }
    let losses = facts.knownLosses
    let how =
      facts.losses == nil
      ? "As the plan says; what it could not count is told with “at most”."
      : "As counted while it ran."
    guard !losses.isEmpty else {
      return [.section("Losses", [.tag("p", ["class": "calm"], "Nothing of the source is lost.")])]
    }
    var table = PageTable(
      caption: "What is lost",
      columns: [.numbers("Lost"), .words("Of"), .words("Why"), .numbers("Step")]
    )
    table.rows = losses.map { loss in
      [
        "\(loss.isUpperBound == true ? "at most " : "")\(loss.count.grouped)", loss.subject,
        loss.reason, "\(loss.step)",
      ]
    }
    return [
      .section("Losses", [.tag("p", [:], how), table.cut(to: max(rows, 25)).markup])
    ]
  }
}

/// What was left out because it breaks rules of the model.
struct RejectSection {
  let facts: ReportFacts

  var markup: [Markup] {
    guard let rejects = facts.rejects else { return [] }
    var table = PageTable(
      caption: "Objects that were left out",
      columns: [.words("Source entity"), .numbers("Objects"), .words("File")]
    )
    table.rows = rejects.lines.sorted { $0.key < $1.key }.map { entity, count in
      [entity, count.grouped, "rejects/\(entity).jsonl"]
    }
    let sentence =
      "\(rejects.count.grouped) \(rejects.count == 1 ? "object breaks" : "objects break") rules of the model "
      + "or cannot be evaluated, or may not be without such a one. They are kept in the state directory with "
      + "their reasons and source values; rejects show tells them, and rejects replay brings them in."
    var reasons = PageTable(
      caption: "Why they were left out",
      columns: [.words("Source entity"), .words("Property"), .words("Rule"), .numbers("Objects")]
    )
    reasons.rows = (rejects.reasons ?? []).map {
      [$0.entity, $0.property, $0.rule, $0.count.grouped]
    }
    return [
      .section(
        "Rejects",
        [.tag("p", [:], sentence), table.cut(to: 100).markup, reasons.cut(to: 100).markup]
      )
    ]
  }
}

/// What a verification has proved.
struct ProofSection {
  let facts: ReportFacts
  let rows: Int

  var markup: [Markup] {
    guard let proof = facts.proof else { return [] }
    let isOfThisPlan = proof.plan == facts.plan.fingerprint
    let sentence =
      isOfThisPlan
      ? "The destination was verified by the plan of this report."
      : "The proof is of another plan than this report, so it says nothing of this migration."
    var table = PageTable(
      caption: "Rows of the destination, with their sums",
      columns: [.words("Table"), .numbers("Rows"), .words("Sum")]
    )
    table.rows = proof.tables.map { [$0.table, $0.rows.grouped, "\($0.sum)"] }
    return [
      .section(
        "Verification",
        [
          .tag("p", ["class": isOfThisPlan ? "calm" : "bad"], sentence),
          .terms([
            ("level", proof.level.rawValue), ("rows compared", proof.rowsCompared.grouped),
            ("verified by", "bulkmigrate \(proof.tool)"),
            ("state of the source", proof.source.state),
            ("state of the destination", proof.destination.state),
          ]), .details("Sums of all tables", [table.cut(to: max(rows, 25)).markup]),
        ]
      )
    ]
  }
}

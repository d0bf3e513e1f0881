internal import BulkExecute
internal import BulkCoding
internal import BulkPlan
internal import BulkStore
internal import BulkVerify

extension ReportFacts {
  /// The passes: as planned and as carried out, and only so once all are done.
  func passSection(rows: Int) -> [Markup] {
    guard plan.passes.count > 1 else { return [] }
    return (isDone ? donePasses : plannedPasses).section("Passes", cut: max(rows, 100))
  }

  private var plannedPasses: PageTable {
    PageTable(
      "As planned and as carried out",
      plan.passes.map { pass in (pass: pass, use: passes.first { $0.number == pass.number }) },
      .words("Pass") { "\($0.pass.number) \($0.pass.name)" },
      .numbers("Rows") { ($0.use?.rows ?? $0.pass.rows).grouped },
      .numbers("Planned time") { "≈ \(Duration.seconds($0.pass.estimatedSeconds).short)" },
      .numbers("Took") { $0.use.map { Duration.seconds($0.seconds).short } ?? "" },
      .numbers("Most memory") { $0.use?.memory.map { "\($0)" } ?? "" },
      .words("Done") { $0.use?.isDone == true ? "yes" : $0.use == nil ? "no" : "in part" }
    )
  }

  private var donePasses: PageTable {
    let isRoute = passes.contains { $0.step != nil }
    return PageTable(
      "As carried out",
      passes,
      .words("Pass") { "\(isRoute ? "step \($0.step ?? 1), " : "")\($0.number) \($0.name)" },
      .numbers("Rows") { $0.rows.grouped },
      .numbers("Took") { Duration.seconds($0.seconds).short },
      .numbers("Most memory") { $0.memory.map { "\($0)" } ?? "" }
    )
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

  /// The losses of the destination.
  func lossSection(rows: Int) -> [Markup] {
    guard !plan.isUpToDate else { return [] }
    let folded = knownLosses.folded
    guard !folded.isEmpty else {
      return [.section("Losses", [.tag("p", class: "calm", "Nothing of the source is lost.")])]
    }
    let how =
      losses != nil
      ? "As counted while it ran."
      : isDone
        ? "As planned; the counts of the run were not kept."
        : "As the plan says; what it could not count is told with “at most”."
    let table = PageTable(
      "What is lost",
      folded,
      .numbers("Lost") { "\($0.isUpperBound == true ? "at most " : "")\($0.count.grouped)" },
      .words("Of") { $0.subject },
      .words("Why") { $0.reason },
      .numbers("Step") { "\($0.step)" }
    )
    return [.section("Losses", [.tag("p", how), table.cut(to: max(rows, 25)).markup])]
  }

  /// The results of a verification.
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
    return [
      .section(
        "Verification",
        [
          .tag("p", class: isOfThisPlan ? "calm" : "bad", sentence),
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

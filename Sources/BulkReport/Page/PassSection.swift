internal import BulkExecute
internal import BulkCoding
internal import BulkPlan

/// The passes, as planned and as carried out.
struct PassSection {
  private let facts: ReportFacts
  private let rows: Int

  init(_ facts: ReportFacts, rows: Int) {
    self.facts = facts
    self.rows = rows
  }

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

internal import BulkCoding
internal import BulkPlan

/// What of the source the destination lacks.
struct LossSection {
  private let facts: ReportFacts
  private let rows: Int

  init(_ facts: ReportFacts, rows: Int) {
    self.facts = facts
    self.rows = rows
  }

  var markup: [Markup] {
    guard !facts.plan.isUpToDate else { return [] }
    let losses = facts.toldLosses
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

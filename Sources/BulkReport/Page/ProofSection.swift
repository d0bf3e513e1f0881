internal import BulkPlan
internal import BulkStore
internal import BulkCoding
internal import BulkVerify

/// What a verification has proved.
struct ProofSection {
  private let facts: ReportFacts
  private let rows: Int

  init(_ facts: ReportFacts, rows: Int) {
    self.facts = facts
    self.rows = rows
  }

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

internal import BulkCoding
internal import BulkPlan
internal import BulkExecute

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
  private let facts: ReportFacts

  init(_ facts: ReportFacts) { self.facts = facts }

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
    return [.section("Rejects", [.tag("p", [:], sentence), table.cut(to: 100).markup])]
  }
}

internal import BulkCoding
internal import BulkExecute

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

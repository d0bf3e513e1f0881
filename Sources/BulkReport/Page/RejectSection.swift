internal import BulkCoding
internal import BulkExecute

/// The objects that cannot be migrated as they are: those that were left out, or those that ended the run.
struct RejectSection {
  let facts: ReportFacts

  var markup: [Markup] {
    (facts.rejects.map(leftOut) ?? []) + (facts.violations.map(refused) ?? [])
  }

  private func leftOut(_ rejects: RejectSummary) -> [Markup] {
    let files = PageTable(
      "Objects that were left out",
      rejects.lines.sorted { $0.key < $1.key },
      .words("Source entity") { $0.key },
      .numbers("Objects") { $0.value.grouped },
      .words("File") { "rejects/\($0.key).jsonl" }
    )
    let sentence =
      "\(rejects.count.grouped) \(rejects.count == 1 ? "object breaks" : "objects break") rules of the model "
      + "or cannot be evaluated, or may not be without such a one. They are kept in the state directory with "
      + "their reasons and source values; rejects show tells them, and rejects replay brings them in."
    let reasons = (rejects.reasons ?? []).map { reason in
      Reason(
        entity: reason.entity,
        property: reason.property,
        rule: reason.rule,
        count: reason.count,
        first: (reason.first ?? []).map { Reason.text("\($0.key)", $0.value) }
      )
    }
    return section(sentence, [table("Why they were left out", reasons), files])
  }

  private func refused(_ violations: ViolationSummary) -> [Markup] {
    let sentence =
      "These objects ended the run, and no destination was made. All of them are in \(violations.path); run "
      + "--on-error quarantine leaves them out."
    let reasons = violations.rules.map { rule in
      Reason(
        entity: rule.name.entity,
        property: rule.name.property,
        rule: rule.name.rule,
        count: rule.count,
        first: rule.first.map { object in
          Reason.text(
            object.source.map { "\($0.entity) \($0.key)" } ?? "\(object.key)",
            object.value
          )
        }
      )
    }
    return section(sentence, [table("Why they cannot be migrated", reasons)])
  }

  private struct Reason {
    var entity: String
    var property: String
    var rule: String
    var count: Int64
    /// The first objects, each with the value at fault.
    var first: [String]

    static func text(_ object: String, _ value: String?) -> String {
      value.map { "\(object): \($0)" } ?? object
    }

    /// The first objects in words, and whether there are others.
    var examples: String {
      let shown = first.prefix(Self.shownObjects)
      let isAll = Int64(shown.count) == count
      return shown.isEmpty ? "" : shown.joined(separator: ", ") + (isAll ? "" : ", …")
    }

    private static let shownObjects = 5
  }

  private func table(_ caption: String, _ reasons: [Reason]) -> PageTable {
    PageTable(
      caption,
      reasons,
      .words("Entity") { $0.entity },
      .words("Property") { $0.property },
      .words("Rule") { $0.rule },
      .numbers("Objects") { $0.count.grouped },
      .words("First objects") { $0.examples }
    )
  }

  private func section(_ sentence: String, _ tables: [PageTable]) -> [Markup] {
    [
      .section(
        "Rejects",
        [.tag("p", sentence)] + tables.filter { !$0.rows.isEmpty }.map { $0.cut(to: 100).markup }
      )
    ]
  }
}

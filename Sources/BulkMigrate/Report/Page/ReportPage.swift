package import BulkSupport
package import BulkExecute
package import BulkPlan

/// A report as a page of HTML: one file without scripts and without anything from elsewhere.
package struct ReportPage {
  package let record: MigrationRecord
  package let plan: MigrationPlan
  let proof: Proof?
  let rejects: RejectSummary?

  /// The page of a migration, with what its state directory holds of rejected objects.
  package init(_ record: MigrationRecord, _ plan: MigrationPlan, proof: Proof? = nil) {
    let location = record.stateDirectory.map { StateLocation(stateDirectory: $0) }
    let folder = location.flatMap { try? RejectFolder($0) }
    self.init(record, plan, proof: proof, rejects: folder?.summary)
  }

  init(
    _ record: MigrationRecord,
    _ plan: MigrationPlan,
    proof: Proof? = nil,
    rejects: RejectSummary?
  ) {
    (self.record, self.plan) = (record, plan)
    (self.proof, self.rejects) = (proof, rejects)
  }

  /// How every report begins, and nothing else.
  package static let beginning = "<!DOCTYPE html>\n<!-- bulkmigrate report/1 -->\n"

  package static let limit = ByteCount.kibibytes(488)

  /// The whole page.
  ///
  /// Tables behind pictures end early where it would get larger than ``limit``.
  package var text: String {
    for rows in [400, 100, 25] {
      let text = text(tableRows: rows)
      if text.utf8.count <= Self.limit.bytes { return text }
    }
    return text(tableRows: 0)
  }

  private func text(tableRows rows: Int) -> String {
    let losses = lossSection(rows: rows) + rejectSection
    let pictures = bandSection(rows: rows) + courseSection(rows: rows)
    let tables = passSection(rows: rows) + proofSection(rows: rows) + memorySection
    return Self.text(
      of: plan.destination.store,
      head + losses + pictures + tables + originSection
    )
  }

  static func text(of destination: String, _ contents: [Markup]) -> String {
    var output = beginning
    let head = Markup.tag(
      "head",
      .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag("meta", ["name": "color-scheme", "content": "light dark"]),
      .tag("title", "\(destination.fileName) — bulkmigrate"),
      .style(PageStyle.sheet)
    )
    let body = Markup.tag("body", .tag("main", [:], contents))
    Markup.tag("html", ["lang": "en"], [head, body]).write(to: &output)
    return output + "\n"
  }
}

extension ReportPage {
  /// The most important messages, apart from the plan's warnings.
  package var warnings: [String] {
    let damage =
      "no checkpoint in \(record.stateDirectory ?? "") can be used, so this report knows little more than the plan"
    return record.uncheckedRules + (record.isDamaged ? [damage] : [])
  }

  var failure: String? {
    if let error = record.error { return error.message }
    guard record.state == .none, let path = record.violations else { return nil }
    return
      "objects break rules of the model, or cannot be computed; no destination was made; all are listed in \(path)"
  }

  /// Whether figures of the plan tell nothing more, because the run is over.
  var isDone: Bool { record.state == .done && failure == nil && !plan.isUpToDate }

  var measures: MeasureRecord? { record.measures }

  /// The rows written so far; `nil` where nothing was begun.
  var rows: Int64? {
    record.isFinished || record.checkpoint != nil ? record.rows : rejects?.rows
  }

  var losses: [MigrationPlan.Loss]? { record.isFinished ? record.losses : rejects?.losses }

  var knownLosses: [MigrationPlan.Loss] { losses ?? plan.losses }

  /// The passes of all legs: an attempt that has ended has them together.
  var passes: [PassUse] {
    record.outcome == nil ? record.legs.flatMap(\.passes) + record.passes : record.passes
  }

  /// The counted outcomes of source rows that the passes of the plan read.
  var talliesOfPasses: [String: RowTally] {
    if plan.hasSeveralLegs { return record.legs.first?.tallies ?? [:] }
    return record.isFinished ? record.tallies : rejects?.tallies ?? [:]
  }

  /// The rows that a pass wrote; `nil` unless it is done.
  func written(by pass: MigrationPlan.Pass) -> Int64? {
    if let use = passes.first(where: { $0.number == pass.number && $0.step ?? 1 == 1 }) {
      return use.isDone ? use.rows : nil
    }
    return isDone && plan.passes.count == 1 && !plan.hasSeveralLegs ? rows : nil
  }
}

extension String {
  /// The last part of a path; the path itself where it has none.
  var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}

extension PageTable {
  /// A section of the table alone, with at most that many rows; none for a table without any.
  func section(_ title: String, cut limit: Int = 100) -> [Markup] {
    rows.isEmpty ? [] : [.section(title, [cut(to: limit).markup])]
  }
}

extension Markup {
  static func section(_ title: String, class style: String? = nil, _ contents: [Markup]) -> Markup {
    let attributes = style.map { [(name: "class", value: $0)] } ?? []
    return .element("section", attributes, [.tag("h2", title)] + contents)
  }

  /// Contents that are shown on request.
  static func details(_ summary: String, _ contents: [Markup]) -> Markup {
    .tag("details", [:], [.tag("summary", summary)] + contents)
  }

  static func terms(_ terms: [(term: String, text: String)]) -> Markup {
    .tag("dl", [:], terms.flatMap { [.tag("dt", $0.term), .tag("dd", $0.text)] })
  }

  static func status(_ word: String, style: String, _ sentence: String) -> Markup {
    .tag(
      "p",
      class: "status",
      .tag("strong", class: "state \(style)", word),
      .text(" "),
      .tag("span", sentence)
    )
  }

  static func figure(
    _ name: String,
    _ value: String,
    note: String,
    style: String = ""
  ) -> Markup {
    .tag(
      "div",
      class: "figure\(style)",
      .tag("dt", name),
      .tag("dd", value),
      .tag("dd", class: "note", note)
    )
  }

  static func figures(_ figures: [Markup]) -> Markup {
    .tag("dl", ["class": "figures"], figures)
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
}

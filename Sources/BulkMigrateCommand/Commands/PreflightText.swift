import BulkCoding
import BulkPreflight

/// What a preflight found, as text.
struct PreflightText {
  private let report: PreflightReport

  init(_ report: PreflightReport) { self.report = report }

  /// The lines: a table by rule, then each finding with its first objects, then what was not seen.
  var lines: [String] {
    let unseen = report.unseen.map { "  \($0)" }
    return summary + table + report.findings.flatMap(details)
      + (unseen.isEmpty ? [] : ["", "not seen"] + unseen)
      + room
  }

  private var summary: [String] {
    let rows = NumberText.grouped(report.rowsRead)
    let all = NumberText.grouped(report.rowsTotal)
    let seen = report.sample == nil ? "\(rows) rows" : "\(rows) of \(all) rows"
    let count = report.findings.count
    let legs = report.legs.map { " of leg \($0.seen) of \($0.all) only" } ?? ""
    let found = count == 0 ? "nothing found" : "\(count) \(count == 1 ? "finding" : "findings")"
    var line = "\(report.source): \(seen) read\(legs), \(found)"
    if let rejected = report.rejected, rejected > 0 {
      line +=
        "; --on-error quarantine leaves \(NumberText.grouped(rejected)) "
        + (rejected == 1 ? "object out" : "objects out")
    }
    return [line]
  }

  private var table: [String] {
    guard !report.findings.isEmpty else { return [] }
    var table = TextTable(.right("COUNT"), .left("OF"), .left("RULE"), .left("WHAT HAPPENS"))
    for finding in report.findings {
      table.append(
        NumberText.grouped(finding.count),
        finding.place,
        finding.rule,
        finding.kind == .replacement ? "all objects are lost" : finding.outcome.text
      )
    }
    return [""] + table.lines(indent: 2)
  }

  private func details(_ finding: PreflightFinding) -> [String] {
    var lines = ["", "\(finding.place): \(finding.rule)"]
    if let total = finding.total {
      lines.append("  \(NumberText.grouped(finding.count)) of \(NumberText.grouped(total)) rows")
    }
    if let least = finding.least, let greatest = finding.greatest {
      lines.append("  source values from \(least) to \(greatest)")
    }
    if let place = finding.expression {
      let column = place.column.map { ":\($0)" } ?? ""
      lines.append("  \(place.path):\(place.line)\(column)")
    }
    lines += finding.first.map { "  \($0.entity) \($0.key)" + ($0.value.map { ": \($0)" } ?? "") }
    if finding.count > Int64(finding.first.count), !finding.first.isEmpty { lines.append("  …") }
    return lines + ["  → \(finding.remedy)"]
  }

  private var room: [String] {
    guard let room = report.room else { return [] }
    let free = room.freeBytes.map { "\(ByteCount(bytes: $0)) free" } ?? "not known what is free"
    return ["", "room  about \(ByteCount(bytes: room.neededBytes)) in \(room.folder), \(free)"]
  }
}

extension PreflightFinding {
  /// The property with its entity, or what else it is about.
  fileprivate var place: String { property.isEmpty ? entity : "\(entity).\(property)" }
}

extension PreflightFinding.Outcome {
  /// What happens, as a clause.
  fileprivate var text: String {
    switch self {
    case .leftOut: "a run stops, or leaves them out with --on-error quarantine"
    case .stops: "a run stops"
    case .becomesNil: "the link becomes nil"
    case .kept: "copied as it is"
    case .lost: "the link is lost"
    case .lastCounts: "the end that is assigned last counts"
    case .rounded: "the store keeps it; an app that reads it gets it rounded"
    case .mayStop: "a run may fill the disk"
    }
  }
}

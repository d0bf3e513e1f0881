internal import BulkSupport

extension PreflightReport {
  /// A table by rule, then each finding with its first objects, then the parts that were not
  /// checked.
  package var lines: [String] {
    [summary] + table + findings.flatMap(\.lines)
      + (unseen.isEmpty ? [] : ["", "not seen"] + unseen.map { "  \($0)" }) + roomLines
  }

  private var summary: String {
    let seen = rowsRead.grouped + (sample == nil ? " rows" : " of \(rowsTotal.grouped) rows")
    let count = findings.count
    let legs = legs.map { " of leg \($0.seen) of \($0.all) only" } ?? ""
    let found = count == 0 ? "nothing found" : "\(count) \(count == 1 ? "finding" : "findings")"
    let line = "\(source): \(seen) read\(legs), \(found)"
    guard let rejected, rejected > 0 else { return line }
    return line + "; --on-error quarantine leaves \(rejected.grouped) "
      + (rejected == 1 ? "object out" : "objects out")
  }

  private var table: [String] {
    guard !findings.isEmpty else { return [] }
    return [""]
      + findings.table(
        indent: 2,
        .right("COUNT") { $0.count.grouped },
        .left("OF") { $0.subject },
        .left("RULE") { $0.rule },
        .left("WHAT HAPPENS") {
          $0.kind == .replacement ? "all objects are lost" : $0.outcome.text
        }
      )
  }

  private var roomLines: [String] {
    guard let space else { return [] }
    let free = space.freeBytes.map { "\(ByteCount(bytes: $0)) free" } ?? "not known what is free"
    return ["", "space  about \(ByteCount(bytes: space.neededBytes)) in \(space.folder), \(free)"]
  }
}

extension PreflightFinding {
  fileprivate var subject: String { property.isEmpty ? entity : "\(entity).\(property)" }

  fileprivate var lines: [String] {
    var lines = ["", "\(subject): \(rule)"]
    if let total {
      lines.append("  \(count.grouped) of \(total.grouped) rows")
    }
    if let least, let greatest { lines.append("  source values from \(least) to \(greatest)") }
    if let subject = expression {
      let column = subject.column.map { ":\($0)" } ?? ""
      lines.append("  \(subject.path):\(subject.line)\(column)")
    }
    lines += first.map { "  \($0.entity) \($0.key)" + ($0.value.map { ": \($0)" } ?? "") }
    if count > Int64(first.count), !first.isEmpty { lines.append("  …") }
    return lines + ["  → \(remedy)"]
  }
}

extension PreflightFinding.Outcome {
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

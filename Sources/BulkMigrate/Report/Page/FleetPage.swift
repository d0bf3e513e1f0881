internal import BulkSupport

package struct FleetPage {
  private let fleet: FleetSummary

  package init(_ fleet: FleetSummary) { self.fleet = fleet }

  package var text: String {
    ReportPage.text(
      of: fleet.name,
      [head] + states + times + failures + slowest + losses + versions
    )
  }

  private func stores(_ outcomes: String...) -> Int64 {
    fleet.outcomes.filter { outcomes.contains($0.name) }.reduce(0) { $0 + $1.stores }
  }

  private var head: Markup {
    let (done, failed) = (stores("done", "already"), stores("failed", "quarantined"))
    let count = "\(done.grouped) of \(fleet.stores.grouped) stores are done"
    let status =
      failed > 0
      ? Markup.status("failures", style: "bad", "\(count), and \(failed.grouped) failed.")
      : done == fleet.stores
        ? .status("done", style: "good", "All stores are done.")
        : .status("work left", style: "neutral", "\(count).")
    var figures = [
      Markup.figure("Done", done.grouped, note: "of \(fleet.stores.grouped) stores"),
      .figure(
        "Failed",
        failed.grouped,
        note: failed > 0 ? "the reasons are below" : "",
        style: failed > 0 ? " bad" : ""
      ), .figure("Rows", fleet.rows.grouped, note: "\(ByteCount(bytes: fleet.bytes)) written"),
    ]
    if let began = fleet.began, let ended = fleet.ended {
      let time = Duration.seconds(ended - began).short
      let end = Date(timeIntervalSince1970: ended).formatted(.iso8601)
      figures.append(.figure("Time", time, note: "until \(end)"))
    }
    let processor = Duration.seconds(fleet.processorSeconds?.sum ?? 0).short
    let hosts = fleet.hosts == 1 ? "1 host" : "\(fleet.hosts.grouped) hosts"
    figures.append(.figure("Processor", processor, note: "on \(hosts)"))
    let title = Markup.tag("h1", .tag("span", class: "store", fleet.name))
    return .tag("header", title, status, .figures(figures))
  }

  private var states: [Markup] {
    let left = fleet.stores - fleet.outcomes.reduce(0) { $0 + $1.stores }
    let notBegun = left > 0 ? [FleetSummary.Group(name: "not begun", stores: left)] : []
    return Self.bars("Outcomes", fleet.outcomes + notBegun) { outcome in
      switch outcome {
      case "done": "added"
      case "already": "paired"
      case "failed": "rejected"
      case "quarantined": "removed"
      case "stopped", "overtaken": "left-out"
      default: "copied"
      }
    }
  }

  private var times: [Markup] {
    Self.bars("Time of the longest attempt at a store", fleet.times) { _ in "changed" }
  }

  /// Horizontal bars with their names and numbers, as long as their shares.
  private static func bars(
    _ title: String,
    _ groups: [FleetSummary.Group],
    _ style: (String) -> String
  ) -> [Markup] {
    guard let most = groups.map(\.stores).max(), most > 0 else { return [] }
    let bars = groups.flatMap { group -> [Markup] in
      let width = Double(group.stores) / Double(most) * 85
      let style = "bar \(style(group.name))"
      let bar = Markup.tag("span", ["class": style, "style": "width:\(width.svg)%"])
      return [.tag("dt", group.name), .tag("dd", bar, .text(group.stores.grouped))]
    }
    return [.section(title, [.tag("dl", ["class": "bars"], bars)])]
  }

  // MARK: Tables

  private var failures: [Markup] {
    guard !fleet.failures.isEmpty else { return [] }
    let reasons = PageTable(
      "Why stores failed",
      fleet.failures,
      .words("For example") { $0.example },
      .words("Reason") { ErrorText($0.reason).title },
      .numbers("Stores") { $0.stores.grouped },
      .numbers("Exit code") { "\($0.code)" },
      .words("Who can correct it") {
        switch $0.failure {
        case "permanent": "whoever owns the store or the mapping"
        case "transient": "another attempt may succeed"
        case "operator": "whoever runs the fleet"
        default: ""
        }
      }
    )
    let stores = PageTable(
      "Stores that failed",
      fleet.failed,
      .words("Store") { $0.id },
      .words("Outcome") { $0.outcome ?? "" },
      .numbers("Attempts") { $0.attempts.grouped },
      .numbers("Bytes") { "\(ByteCount(bytes: $0.bytes))" }
    )
    return [.section("Failures", [reasons.markup, stores.markup])]
  }

  private var slowest: [Markup] {
    PageTable(
      "The stores that took longest",
      fleet.slowest,
      .words("Store") { $0.id },
      .numbers("Time") { Duration.seconds($0.seconds).short },
      .numbers("Memory") { "\(ByteCount(bytes: $0.memoryBytes))" },
      .numbers("Bytes") { "\(ByteCount(bytes: $0.bytes))" },
      .numbers("Attempts") { $0.attempts.grouped }
    ).section("Slowest")
  }

  private var losses: [Markup] {
    PageTable(
      "What the stores lack that were made",
      fleet.losses,
      .words("Lost") { $0.name },
      .numbers("Values, links or objects") { $0.rows.grouped },
      .numbers("Stores") { $0.stores.grouped }
    ).section("Losses")
  }

  private var versions: [Markup] {
    PageTable(
      "The versions that the stores had",
      fleet.versions,
      .words("Version") { $0.name.isEmpty ? "unknown" : $0.name },
      .numbers("Stores") { $0.stores.grouped }
    ).section("Versions")
  }
}

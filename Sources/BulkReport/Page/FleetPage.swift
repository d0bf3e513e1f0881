internal import BulkCoding
internal import BulkPlatform

/// The page of a fleet: how far it is, how long stores take, what failed and why.
package struct FleetPage {
  private let facts: FleetFacts

  package init(_ facts: FleetFacts) { self.facts = facts }

  /// The whole page.
  package var text: String {
    ReportPage.text(
      of: facts.name,
      [head] + states + times + failures + slowest + losses + versions
    )
  }

  // MARK: The head

  private var done: Int64 { facts.stores("done", "already") }
  private var failed: Int64 { facts.stores("failed", "quarantined") }

  private var head: Markup {
    let (word, style, sentence) = state
    return .tag(
      "header",
      .tag("h1", .tag("span", class: "store", facts.name)),
      HeadSection.status(word, style: style, sentence),
      Figure.list(figures)
    )
  }

  private var state: (String, String, String) {
    let count = "\(done.grouped) of \(facts.stores.grouped) stores are done"
    if failed > 0 { return ("failures", "bad", "\(count), and \(failed.grouped) failed.") }
    if done == facts.stores { return ("done", "good", "All stores are done.") }
    return ("work left", "neutral", "\(count).")
  }

  private var figures: [Figure] {
    let processor = Duration.seconds(facts.processorSeconds).short
    let span = facts.span.map {
      Figure(
        "Time",
        Duration.seconds($0.upperBound - $0.lowerBound).short,
        note: "until \(Date(timeIntervalSince1970: $0.upperBound).formatted(.iso8601))"
      )
    }
    let hosts = facts.hosts == 1 ? "1 host" : "\(facts.hosts.grouped) hosts"
    return [
      Figure("Done", done.grouped, note: "of \(facts.stores.grouped) stores"),
      Figure(
        "Failed",
        failed.grouped,
        note: failed > 0 ? "the reasons are below" : "",
        style: failed > 0 ? "figure bad" : "figure"
      ),
      Figure("Rows", facts.rows.grouped, note: "\(ByteCount(bytes: facts.bytes)) were made"),
      span, Figure("Processor", processor, note: "on \(hosts)"),
    ].compactMap(\.self)
  }

  // MARK: Pictures

  private var states: [Markup] {
    guard !facts.outcomes.isEmpty else { return [] }
    let bars = Bars(bars: facts.outcomes.map { ($0.name, $0.stores, Self.fate(of: $0.name)) })
    return [.section("What became of the stores", [bars.markup("Stores by outcome")])]
  }

  private static func fate(of outcome: String) -> String {
    switch outcome {
    case "done": "added"
    case "already": "paired"
    case "failed": "rejected"
    case "quarantined": "removed"
    case "stopped", "overtaken": "left-out"
    default: "copied"
    }
  }

  private var times: [Markup] {
    guard !facts.times.isEmpty else { return [] }
    let bars = Bars(bars: facts.times.map { ("up to \($0.name)", $0.stores, "changed") })
    return [
      .section("How long stores take", [bars.markup("Stores by the time of their longest attempt")])
    ]
  }

  // MARK: Tables

  private var failures: [Markup] {
    guard !facts.reasons.isEmpty else { return [] }
    let reasons = PageTable(
      "Why stores failed",
      facts.reasons,
      .words("For example") { $0.example },
      .words("Reason") { ErrorText($0.reason).title },
      .numbers("Stores") { $0.stores.grouped },
      .numbers("Exit code") { "\($0.code)" },
      .words("Who can mend it") { Self.mender(of: $0.failure) }
    )
    let stores = PageTable(
      "Stores that failed",
      facts.failed,
      .words("Store") { $0.id },
      .words("Outcome") { $0.outcome ?? "" },
      .numbers("Attempts") { $0.attempts.grouped },
      .numbers("Bytes") { "\(ByteCount(bytes: $0.bytes))" }
    )
    return [.section("Failures", [reasons.markup, stores.markup])]
  }

  private static func mender(of failure: String) -> String {
    switch failure {
    case "permanent": "whoever owns the store or the mapping"
    case "transient": "another attempt may succeed"
    case "operator": "whoever runs the fleet"
    default: ""
    }
  }

  private var slowest: [Markup] {
    PageTable(
      "The stores that took longest",
      facts.slowest,
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
      facts.losses,
      .words("Lost") { $0.name },
      .numbers("Values, links or objects") { $0.rows.grouped },
      .numbers("Stores") { $0.stores.grouped }
    ).section("Losses")
  }

  private var versions: [Markup] {
    PageTable(
      "The versions that the stores had",
      facts.versions,
      .words("Version") { $0.name.isEmpty ? "unknown" : $0.name },
      .numbers("Stores") { $0.stores.grouped }
    ).section("Versions")
  }
}

/// Horizontal bars with their names and numbers, as long as their shares.
struct Bars {
  let bars: [(name: String, count: Int64, style: String)]
  private static let (width, height, gap, nameWidth) = (540.0, 22.0, 8.0, 118.0)

  func markup(_ title: String) -> Markup {
    let most = Double(max(bars.map(\.count).max() ?? 1, 1))
    let shapes = bars.enumerated().flatMap { place, bar in
      self.shapes(of: bar, at: place, width: Self.width * Double(bar.count) / most)
    }
    let picture = Picture(
      title: "\(title): \(bars.map { "\($0.name) \($0.count.grouped)" }.joined(separator: ", "))",
      width: Self.nameWidth + Self.width + 70,
      height: Double(bars.count) * (Self.height + Self.gap),
      shapes: shapes
    )
    return .figure(picture)
  }

  private func shapes(
    of bar: (name: String, count: Int64, style: String),
    at place: Int,
    width: Double
  ) -> [Shape] {
    let top = Double(place) * (Self.height + Self.gap)
    let base = top + Self.height * 0.72
    let least = bar.count > 0 ? 2.0 : 0
    return [
      .text(
        [Shape.TextPart(text: bar.name, style: "name")],
        at: Point(Self.nameWidth - 10, base),
        .end,
        style: "bar-name"
      ),
      .rectangle(
        Rectangle(x: Self.nameWidth, y: top, width: max(width, least), height: Self.height),
        radius: 4,
        style: "bar \(bar.style)"
      ),
      .text(
        [Shape.TextPart(text: bar.count.grouped, style: "count")],
        at: Point(Self.nameWidth + width + 8, base),
        .start,
        style: "bar-count"
      ),
    ]
  }
}

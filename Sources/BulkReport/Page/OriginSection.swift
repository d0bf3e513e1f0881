internal import BulkVersions
internal import BulkCoding
internal import BulkExecute
internal import BulkPlan
internal import BulkPlatform

/// Where it comes from: commands, versions, fingerprints.
struct OriginSection {
  let facts: ReportFacts

  var markup: [Markup] {
    [
      .section("Where this comes from", [.terms(terms)] + attempts),
      .tag(
        "footer",
        [:],
        [.tag("p", [:], "Written by \(facts.tool). Nothing is loaded from elsewhere.")]
      ),
    ]
  }

  private var terms: [(term: String, text: String)] {
    let plan = facts.plan
    let command = facts.measures?.attempts.last?.command
    return [
      ("source", plan.source.store), ("state of the source", plan.source.identity),
      ("its model", Self.text(plan.source.model)), ("destination", plan.destination.store),
      ("its model", Self.text(plan.destination.model)), ("mapping", mapping),
      (
        "strategy",
        plan.strategy.map { "\($0.kind.rawValue): \($0.reason)" } ?? "all rows are rewritten"
      ),
      ("plan", plan.fingerprint), command.map { ("command", $0) },
    ].compactMap(\.self)
  }

  private static func text(_ model: MigrationPlan.ModelInput) -> String {
    "\(model.isInStore ? "kept in " : "")\(model.path), digest \(model.digest)"
  }

  private var mapping: String {
    let files = facts.plan.mappingOfEachStep.flatMap(\.files)
    return files.isEmpty ? "inferred" : files.joined(separator: ", ")
  }

  /// Every process that worked on it.
  private var attempts: [Markup] {
    guard let attempts = facts.measures?.attempts, !attempts.isEmpty else { return [] }
    var table = PageTable(
      caption: "Every process that worked on it",
      columns: [
        .numbers("Begun"), .numbers("Memory limit"), .numbers("Peak"), .words("Program"),
        .words("System"),
        .words("Command"),
      ]
    )
    table.rows = attempts.map { attempt in
      [
        Date(timeIntervalSinceReferenceDate: attempt.began).formatted(.iso8601),
        "\(ByteCount(bytes: attempt.memoryLimit))",
        attempt.peakMemory.map { "\(ByteCount(bytes: $0))" } ?? "", attempt.tool, attempt.system,
        attempt.command ?? "",
      ]
    }
    return [table.markup]
  }
}

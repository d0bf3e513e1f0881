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
        .tag("p", "Written by \(facts.tool). Nothing is loaded from elsewhere.")
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
    let steps = facts.plan.mappings.map { mapping in
      mapping.files.isEmpty ? "inferred" : mapping.files.joined(separator: ", ")
    }
    guard steps.count > 1 else { return steps.joined() }
    return steps.enumerated().map { "step \($0 + 1): \($1)" }.joined(separator: "; ")
  }

  /// Every attempt at it.
  private var attempts: [Markup] {
    guard let measures = facts.measures, !measures.attempts.isEmpty else { return [] }
    let omitted = measures.attempts.reduce(0) { $0 + $1.omitted }
    let table = PageTable(
      omitted == 0
        ? "Every process that worked on it"
        : "Processes that worked on it; \(omitted) are not listed",
      measures.attempts,
      .numbers("Begun") { Date(timeIntervalSinceReferenceDate: $0.began).formatted(.iso8601) },
      .numbers("Memory limit") { "\(ByteCount(bytes: $0.memoryLimit))" },
      .numbers("Peak") { $0.peakMemory.map { "\(ByteCount(bytes: $0))" } ?? "" },
      .words("Program") { $0.tool },
      .words("System") { $0.system },
      .words("Command") { $0.command ?? "" }
    )
    return [table.markup]
  }
}

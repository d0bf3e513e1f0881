import BulkPlan
import BulkCoding
import BulkPlatform

/// What of a plan is printed, by `plan` and `show`.
struct PlanView: Sendable {
  /// Whether to show why entities are in one pass.
  var explains = false
  /// How much to print; by default that depends on the number of entities.
  var extent: PlanText.Extent?
  /// The only entity to show; `nil` for all.
  var entity: String?
  var isMarkdown = false

  static let rows: [OptionRow<PlanView>] = [
    .flag(
      "explain",
      "Show for each pass which references tie its entities together, and which single one, resolved "
        + "afterwards through association tables, would let it fall apart."
    ) { $0.explains = true },
    .flag(
      "summary",
      "Print a line for each pass and what changes; the default above \(PlanText.fullLimit) entities."
    ) { $0.extent = .summary },
    .flag(
      "full",
      "Print every entity, passes without rows, how the memory is divided, and which tables SQLite fills."
    ) { $0.extent = .full },
    .value("entity", "NAME", "Print only what becomes of an entity.") { $0.entity = $1 },
    .flag("markdown", "Print tables in Markdown, for a pull request.") { $0.isMarkdown = true },
  ]

  /// Refuses an entity that a plan does not have, and one for a program, which gets the whole plan.
  func refuseEntity(_ plan: MigrationPlan, _ output: Output) throws {
    if isMarkdown, explains || entity != nil || extent == .summary || output.isJSON {
      throw UsageError(
        "--markdown prints the whole plan; leave out --entity, --explain, --summary and --json"
      )
    }
    guard let entity else { return }
    if output.isJSON { throw UsageError("--entity prints text; leave out --json") }
    let changes =
      plan.passes.flatMap(\.entities) + (plan.route?.steps ?? []).flatMap { $0.entities ?? [] }
    let known = changes.flatMap { [$0.entity, $0.from].compactMap(\.self) }
    guard !known.contains(entity) else { return }
    let nearest = NearestName.of(entity, among: known).map { "; did you mean \($0)?" }
    throw Refusal(.usage, "the plan has no entity \(entity)\(nearest ?? "")")
  }

  /// Prints a plan.
  ///
  /// From `base`, the memory that the process held before it read anything, follows the smallest limit of memory;
  /// without it, none is printed.
  ///
  /// - Throws: ``PlanError`` if the inputs of an explanation cannot be read.
  func show(_ plan: MigrationPlan, _ base: ByteCount?, _ output: Output) throws {
    let smallestLimit = base.map { plan.smallestMemoryLimit(base: $0, margin: .mebibytes(1)) }
    let explanation = explains ? try PassExplanation(plan) : nil
    var printed = plan
    printed.memory.smallestLimitBytes = smallestLimit?.bytes
    if output.isJSON {
      return try output.json(ExplainedPlan(plan: printed, explanation: explanation), as: .plan)
    }
    let text = PlanText(plan, smallestLimit: smallestLimit, extent, only: entity)
    if isMarkdown { return try output.result(text.markdown) }
    try output.result(text.lines + (explanation?.lines ?? []), PlanText.style)
  }
}

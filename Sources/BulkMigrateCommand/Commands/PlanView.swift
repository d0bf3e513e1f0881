import BulkPlan
import BulkCoding
import BulkPlatform

/// What of a plan is printed, by `plan`.
struct PlanView: Sendable {
  /// Whether to print everything; otherwise it depends on the number of entities.
  var isFull = false
  var isMarkdown = false

  static let rows: [OptionRow<PlanView>] = [
    .flag(
      "full",
      "Print every entity, even if there are more than \(PlanText.fullLimit), passes without rows, how the memory is "
        + "divided, and which tables SQLite fills."
    ) { $0.isFull = true },
    .flag("markdown", "Print tables in Markdown, for a pull request.") { $0.isMarkdown = true },
  ]

  /// Refuses two forms at once.
  func refuseTwoForms(_ output: Output) throws(UsageError) {
    if isMarkdown, output.isJSON { throw UsageError("--markdown and --json exclude each other") }
  }

  /// Prints a plan.
  ///
  /// From `base`, the memory that the process held before it read anything, follows the smallest limit of memory;
  /// without it, none is printed.
  func show(_ plan: MigrationPlan, _ base: ByteCount?, _ output: Output) throws {
    let smallestLimit = base.map { plan.smallestMemoryLimit(base: $0, margin: .mebibytes(1)) }
    var printed = plan
    printed.memory.smallestLimitBytes = smallestLimit?.bytes
    if output.isJSON { return try output.json(printed, as: .plan) }
    let text = PlanText(plan, smallestLimit: smallestLimit, isFull: isFull)
    if isMarkdown { return try output.result(text.markdown) }
    try output.result(text.lines, PlanText.style)
  }
}

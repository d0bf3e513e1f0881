import BulkExecute
import BulkPlan
import BulkCoding
import BulkPlatform

/// What of a plan is printed, by `plan` and `show`.
struct PlanView: Sendable {
  /// Whether to show why entities are in one pass.
  var explains = false
  /// How much to print; by default that depends on the number of entities.
  var extent: PlanText.Extent?

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
    .flag("full", "Print every entity, and passes without rows.") { $0.extent = .full },
  ]

  /// Prints a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - base: The memory of the process before it has read anything; `nil` if that is unknown.
  ///   - output: Where to.
  /// - Throws: ``PlanError`` if the inputs of an explanation cannot be read.
  func show(_ plan: MigrationPlan, _ base: ByteCount?, _ output: Output) throws {
    let smallestLimit = base.map { plan.smallestMemoryLimit(base: $0, margin: .mebibytes(1)) }
    let explanation = explains ? try PassExplanation(plan) : nil
    var printed = plan
    printed.memory.smallestLimitBytes = smallestLimit?.bytes
    try output.show(
      ExplainedPlan(printed, explanation),
      as: .plan,
      PlanText(plan, smallestLimit: smallestLimit, extent).lines + (explanation?.lines ?? [])
    )
  }
}

internal import BulkVersions
import BulkPlan

/// What a plan decides, and why, a sentence each: for `-v`.
struct DecisionText {
  private let plan: MigrationPlan

  init(_ plan: MigrationPlan) { self.plan = plan }

  /// The lines.
  var lines: [String] {
    let models = [
      "plan \(plan.fingerprint)", "the source was written by \(text(of: plan.source.model))",
      "the destination gets \(text(of: plan.destination.model))",
    ]
    guard !plan.isUpToDate else { return models + ["nothing is done: the source fits that model"] }
    return models + mappings + strategy + written
  }

  private func text(of model: MigrationPlan.ModelInput) -> String {
    "the model \(model.isInStore ? "kept in " : "")\(model.path), digest \(model.digest)"
  }

  /// Where the mapping of each step comes from, and which steps are done as one.
  private var mappings: [String] {
    let steps = plan.mappingOfEachStep.enumerated().map { index, mapping in
      let files = mapping.files.joined(separator: " and ")
      let inferred = mapping.infer == "none" ? "nothing is inferred" : "the rest is inferred"
      return
        "step \(index + 1) follows \(files.isEmpty ? "from the models alone" : "\(files); \(inferred)")"
    }
    guard let route = plan.route else { return steps }
    return steps
      + zip(route.ranges, route.legs).flatMap { range, leg in
        leg.boundary.map { "steps end a leg with step \(range.upperBound): \($0)" }
      }
  }

  private var strategy: [String] {
    let passes = plan.passes.count
    return (plan.strategy.map { ["\($0.kind.rawValue): \($0.reason)"] } ?? [])
      + [
        "\(passes) \(passes == 1 ? "pass" : "passes"): \(plan.passes.map(\.name).joined(separator: ", "))"
      ]
  }

  private var written: [String] {
    (plan.written ?? []).flatMap { table -> [String] in
      let rows =
        switch table.rows {
        case .pages: "table \(table.table) is written as pages"
        case .both, .sqlite:
          "SQLite writes rows of \(table.table): \(table.reason ?? "they come later")"
        case .none: "table \(table.table) gets no rows"
        }
      return [rows]
        + table.indexes.compactMap { index in
          index.reason.map { "SQLite makes index \(index.index): \($0)" }
        }
    }
  }
}

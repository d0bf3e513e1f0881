import BulkPlan
internal import BulkVersions

extension Output {
  /// Writes the decisions of a plan with their reasons, with `-v`.
  func decisions(of plan: MigrationPlan) {
    guard reportsDecisions else { return }
    for line in plan.decisions { decision(line) }
  }
}

extension MigrationPlan {
  /// The decisions of the plan with their reasons, a sentence each: for `-v`.
  fileprivate var decisions: [String] {
    let models = [
      "plan \(fingerprint)", "the source was written by \(source.model.sentencePart)",
      "the destination gets \(destination.model.sentencePart)",
    ]
    guard !isUpToDate else { return models + ["nothing is done: the source fits that model"] }
    let count = "\(passes.count) \(passes.count == 1 ? "pass" : "passes")"
    return models + mappingDecisions
      + (strategy.map { ["\($0.kind.rawValue): \($0.reason)"] } ?? [])
      + ["\(count): \(passes.map(\.name).joined(separator: ", "))"]
      + ((try? workLines()) ?? []).map { "work: \($0)" }
  }

  /// Where the mapping of each step comes from, and which steps are done as one.
  private var mappingDecisions: [String] {
    let steps = mappings.enumerated().map { index, mapping in
      let files = mapping.files.joined(separator: " and ")
      let inferred = mapping.infer == "none" ? "nothing is inferred" : "the rest is inferred"
      return
        "step \(index + 1) follows \(files.isEmpty ? "from the models alone" : "\(files); \(inferred)")"
    }
    return steps
      + zip(ranges, legs).flatMap { range, leg in
        leg.boundary.map { "steps end a leg with step \(range.upperBound): \($0)" }
      }
  }
}

extension MigrationPlan.ModelInput {
  fileprivate var sentencePart: String {
    "the model \(isInStore ? "kept in " : "")\(path), digest \(digest)"
  }
}

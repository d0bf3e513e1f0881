import BulkPlan
internal import BulkVersions

/// Why the entities of each pass are together, as text.
struct ExplanationText {
  private let explanation: PassExplanation

  init(_ explanation: PassExplanation) { self.explanation = explanation }

  /// The lines.
  var lines: [String] { explanation.passes.flatMap(lines) }

  private func lines(of pass: PassExplanation.Pass) -> [String] {
    let title =
      "pass \(pass.number) of \(explanation.passes.count), \(pass.name), is together because of"
    let alone = [
      "",
      "pass \(pass.number) of \(explanation.passes.count), \(pass.name): nothing ties its entities",
    ]
    guard !pass.references.isEmpty else { return alone + resolved(pass) }
    var table = TextTable(.left("REFERENCE"), .left("OF"), .left("WITHOUT IT"))
    for reference in pass.references {
      let parts = reference.parts.map { parts in
        "falls apart: " + parts.map(Self.names(of:)).joined(separator: " | ")
      }
      table.append(Self.name(reference.kind), reference.name, parts ?? "")
    }
    return ["", title] + table.lines(indent: 2) + resolved(pass)
  }

  private func resolved(_ pass: PassExplanation.Pass) -> [String] {
    guard !pass.resolved.isEmpty else { return [] }
    return ["  and sets, with objects of earlier passes"] + pass.resolved.map { "    \($0.name)" }
  }

  /// The most entities of a part that are named.
  private static let nameLimit = 4

  private static func names(of part: [String]) -> String {
    part.count > nameLimit ? "\(part.count) entities" : part.joined(separator: ", ")
  }

  private static func name(_ kind: PassReference.Kind) -> String {
    switch kind {
    case .sharedTable: "shared table"
    case .uniqueness: "uniqueness"
    case .relationship: "relationship"
    case .expression: "expression"
    }
  }
}

/// A plan with the reasons for its passes, as `plan --json` prints it.
struct ExplainedPlan: Encodable {
  private let plan: MigrationPlan
  private let explanation: PassExplanation?

  private enum CodingKeys: CodingKey { case explanation }

  init(_ plan: MigrationPlan, _ explanation: PassExplanation?) {
    (self.plan, self.explanation) = (plan, explanation)
  }

  func encode(to encoder: any Encoder) throws {
    try plan.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(explanation?.passes, forKey: .explanation)
  }
}

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

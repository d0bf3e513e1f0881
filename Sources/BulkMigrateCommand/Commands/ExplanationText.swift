import BulkPlan

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

import BulkCoding
import BulkPlan
internal import BulkVersions

extension PassExplanation {
  /// The references that keep the entities of each pass together.
  var lines: [String] { passes.flatMap { $0.lines(of: passes.count) } }
}

extension PassExplanation.Pass {
  fileprivate func lines(of count: Int) -> [String] {
    let title = "pass \(number) of \(count), \(name)"
    guard !references.isEmpty else {
      return ["", "\(title): nothing ties its entities"] + resolvedLines
    }
    let table = references.table(
      indent: 2,
      .left("REFERENCE") { $0.kind.name },
      .left("OF") { $0.name },
      .left("WITHOUT IT") { reference in
        reference.parts.map { parts in
          "falls apart: " + parts.map(Self.names(of:)).joined(separator: " | ")
        } ?? ""
      }
    )
    return ["", "\(title), is together because of"] + table + resolvedLines
  }

  private var resolvedLines: [String] {
    guard !resolved.isEmpty else { return [] }
    return ["  and sets, with objects of earlier passes"] + resolved.map { "    \($0.name)" }
  }

  /// The number of entities above which a part is only counted.
  private static let nameLimit = 4

  private static func names(of part: [String]) -> String {
    part.count > nameLimit ? "\(part.count) entities" : part.joined(separator: ", ")
  }
}

extension PassReference.Kind {
  fileprivate var name: String {
    switch self {
    case .sharedTable: "shared table"
    case .uniqueness: "uniqueness"
    case .relationship: "relationship"
    case .expression: "expression"
    }
  }
}

/// A plan with the reasons for its passes, as `plan --json` prints it.
struct ExplainedPlan: Encodable {
  let plan: MigrationPlan
  let explanation: PassExplanation?

  private enum CodingKeys: CodingKey { case explanation }

  func encode(to encoder: any Encoder) throws {
    try plan.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(explanation?.passes, forKey: .explanation)
  }
}

extension MigrationPlan {
  /// The decisions of the plan with their reasons, a sentence each: for `-v`.
  var decisions: [String] {
    let models = [
      "plan \(fingerprint)", "the source was written by \(source.model.sentencePart)",
      "the destination gets \(destination.model.sentencePart)",
    ]
    guard !isUpToDate else { return models + ["nothing is done: the source fits that model"] }
    let count = "\(passes.count) \(passes.count == 1 ? "pass" : "passes")"
    return models + mappingDecisions
      + (strategy.map { ["\($0.kind.rawValue): \($0.reason)"] } ?? [])
      + ["\(count): \(passes.map(\.name).joined(separator: ", "))"]
      + (written ?? []).flatMap(\.decisions)
      + (workList.map { ["work list \($0.digest):"] + $0.items.map { "  \($0)" } } ?? [])
  }

  /// Where the mapping of each step comes from, and which steps are done as one.
  private var mappingDecisions: [String] {
    let steps = mappingOfAllSteps.enumerated().map { index, mapping in
      let files = mapping.files.joined(separator: " and ")
      let inferred = mapping.infer == "none" ? "nothing is inferred" : "the rest is inferred"
      return
        "step \(index + 1) follows \(files.isEmpty ? "from the models alone" : "\(files); \(inferred)")"
    }
    guard let route else { return steps }
    return steps
      + zip(route.ranges, route.legs).flatMap { range, leg in
        leg.boundary.map { "steps end a leg with step \(range.upperBound): \($0)" }
      }
  }
}

extension MigrationPlan.ModelInput {
  fileprivate var sentencePart: String {
    "the model \(isInStore ? "kept in " : "")\(path), digest \(digest)"
  }
}

extension MigrationPlan.WrittenTable {
  fileprivate var decisions: [String] {
    let first =
      switch rows {
      case .pages: "table \(table) is written as pages"
      case .both, .sqlite: "SQLite writes rows of \(table): \(reason ?? "they come later")"
      case .none: "table \(table) gets no rows"
      }
    return [first]
      + indexes.compactMap { index in
        index.reason.map { "SQLite makes index \(index.index): \($0)" }
      }
  }
}

import BulkCoding
import BulkMapping
import BulkPlan

/// The differences between two plans as text.
struct PlanDifferenceText {
  private let differences: [PlanDifference]

  init(_ differences: [PlanDifference]) { self.differences = differences }

  /// The lines: a table, or a sentence where there is no difference.
  var lines: [String] {
    guard !differences.isEmpty else { return ["no difference"] }
    var table = TextTable(.left("SUBJECT"), .left("WHAT"), .left("BEFORE"), .left("AFTER"))
    for difference in differences {
      table.append(
        difference.subject,
        Self.name(difference.aspect),
        Self.text(difference.before, difference.aspect),
        Self.text(difference.after, difference.aspect)
      )
    }
    return table.lines()
  }

  private static func text(_ value: String?, _ aspect: PlanDifference.Aspect) -> String {
    guard let value else { return "-" }
    switch aspect {
    case .rows, .rowsLost: return Int64(value).map(NumberText.grouped) ?? value
    case .bytes, .memory: return Int64(value).map { "\(ByteCount(bytes: $0))" } ?? value
    case .input, .fate, .detail, .filter, .policy, .pass, .strategy, .loss, .warning: return value
    }
  }

  private static func name(_ aspect: PlanDifference.Aspect) -> String {
    switch aspect {
    case .rowsLost: "rows lost"
    case .input, .fate, .rows, .detail, .filter, .policy, .pass, .bytes, .memory, .strategy, .loss,
      .warning:
      aspect.rawValue
    }
  }
}

/// The differences between two mappings as text.
struct MappingDifferenceText {
  private let differences: [MappingDifference]

  init(_ differences: [MappingDifference]) { self.differences = differences }

  /// The lines: each difference with what was said before it, or a sentence where there is none.
  var lines: [String] {
    guard !differences.isEmpty else { return ["no difference"] }
    var lines: [String] = []
    var mapping: String?
    for difference in differences {
      if difference.mapping != mapping { lines.append(difference.mapping) }
      mapping = difference.mapping
      let name = difference.name.map { " \($0)" } ?? ""
      lines.append("  \(difference.aspect.rawValue)\(name)")
      lines.append("    before  \(difference.before ?? "-")")
      lines.append("    after   \(difference.after ?? "-")")
    }
    return lines
  }
}

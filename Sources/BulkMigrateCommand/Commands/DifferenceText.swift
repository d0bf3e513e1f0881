import BulkCoding
import BulkMapping
import BulkPlan

extension [PlanDifference] {
  /// A table, or a sentence where nothing differs.
  var lines: [String] {
    guard !isEmpty else { return ["no difference"] }
    return table(
      .left("SUBJECT") { $0.subject },
      .left("WHAT") { $0.aspect.name },
      .left("BEFORE") { $0.aspect.text($0.before) },
      .left("AFTER") { $0.aspect.text($0.after) }
    )
  }
}

extension PlanDifference.Aspect {
  fileprivate func text(_ value: String?) -> String {
    guard let value else { return "-" }
    switch self {
    case .rows, .rowsLost: return Int64(value).map(\.grouped) ?? value
    case .bytes, .memory: return Int64(value).map { "\(ByteCount(bytes: $0))" } ?? value
    case .input, .fate, .detail, .filter, .policy, .forEach, .unique, .keep, .pass, .strategy,
      .loss, .warning:
      return value
    }
  }

  fileprivate var name: String {
    switch self {
    case .rowsLost: "rows lost"
    case .forEach: "for each"
    case .input, .fate, .rows, .detail, .filter, .policy, .unique, .keep, .pass, .bytes, .memory,
      .strategy, .loss, .warning:
      rawValue
    }
  }
}

extension [MappingDifference] {
  /// Each difference below the entity mapping in which it is, or a sentence where there is none.
  var lines: [String] {
    guard !isEmpty else { return ["no difference"] }
    var lines: [String] = []
    var mapping: String?
    for difference in self {
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

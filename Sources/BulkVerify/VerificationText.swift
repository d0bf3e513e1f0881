internal import BulkCoding

extension VerificationReport {
  /// The differences and the expectations, one a line, then a sentence.
  package var lines: [String] {
    let more = differenceCount - Int64(differences.count)
    return sentences + (more > 0 ? ["and \(NumberText.grouped(more)) more"] : [])
      + (expectations ?? []).map(\.line) + [sum]
  }

  private var expectationSum: String {
    guard let all = expectations else { return "" }
    let checked = all.count { !$0.isSkipped }
    let met = checked - unmetCount
    let skipped = checked < all.count ? ", \(all.count - checked) skipped" : ""
    return ", \(met) of \(checked) \(checked == 1 ? "expectation" : "expectations") met\(skipped)"
  }

  private var sum: String {
    let rows = rowsCompared > 0 ? ", \(NumberText.grouped(rowsCompared)) rows compared" : ""
    let count = differenceCount
    let result =
      count == 0
      ? "nothing differs"
      : "\(NumberText.grouped(count)) \(count == 1 ? "difference" : "differences")"
    let leftOut =
      rejected.map { "; \(NumberText.grouped($0)) were left out of it by the migration" } ?? ""
    return "\(destination): \(level.rawValue)\(rows), \(result)\(expectationSum)\(leftOut)"
  }
}

extension ExpectationResult {
  fileprivate var line: String {
    if isSkipped { return "skipped \(name): \(reason ?? "")" }
    return reason.map { "not ok  \(name): \($0)" } ?? "ok      \(name)"
  }
}

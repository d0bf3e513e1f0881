internal import BulkCoding

extension VerificationReport {
  /// The differences and the expectations, one a line, then a sentence.
  package var lines: [String] {
    let more = differenceCount - Int64(differences.count)
    return sentences + (more > 0 ? ["and \(more.grouped) more"] : [])
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
    let rows = rowsCompared > 0 ? ", \(rowsCompared.grouped) rows compared" : ""
    let count = differenceCount
    let result =
      count == 0
      ? "nothing differs"
      : "\(count.grouped) \(count == 1 ? "difference" : "differences")"
    let leftOut =
      rejected.map { "; \($0.grouped) were left out of it by the migration" } ?? ""
    return "\(destination): \(level.rawValue)\(rows), \(result)\(expectationSum)\(leftOut)"
  }
}

extension ExpectationResult {
  fileprivate var line: String {
    if isSkipped { return "skipped \(name): \(reason ?? "")" }
    return reason.map { "not ok  \(name): \($0)" } ?? "ok      \(name)"
  }
}

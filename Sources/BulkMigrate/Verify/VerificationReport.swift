public import BulkStore
internal import BulkSupport

/// The findings of a verification.
public struct VerificationReport: Codable, Hashable, Sendable {
  /// How thoroughly it looked.
  public var level: VerificationLevel
  /// The destination that was verified; an absolute path.
  public var destination: String
  /// The source from which it was made; an absolute path.
  public var source: String
  /// The fingerprint of the plan.
  public var plan: String
  /// The rows that were compared with expected ones; 0 where only the store itself was checked.
  public var rowsCompared: Int64 = 0
  /// The objects that the migration has left out of it, which do not count as differences; `nil` if there are none.
  public var rejected: Int64?
  /// How many differences of each kind there are, by the names of ``StoreDifference/Kind``.
  public var counts: [String: Int64] = [:]
  /// The first differences, at most ``shownDifferences``.
  public var differences: [StoreDifference] = []

  /// The results of the mapping file's expectations, in its order; absent if it has none.
  public var expectations: [ExpectationResult]?

  /// Whether nothing differs, and every expectation is met.
  public var isVerified: Bool { counts.isEmpty && unmetCount == 0 }
  /// The number of expectations that are not met.
  public var unmetCount: Int { (expectations ?? []).count { !$0.isMet && !$0.isSkipped } }
  /// The number of all differences.
  public var differenceCount: Int64 { counts.values.reduce(0, +) }

  /// The first differences, a sentence each.
  public var sentences: [String] { differences.map(\.description) }

  /// Adds a difference; of more than ``shownDifferences`` only the number is kept.
  mutating func add(_ difference: StoreDifference) {
    counts[difference.kind.rawValue, default: 0] += 1
    if differences.count < Self.shownDifferences { differences.append(difference) }
  }

  /// The maximum number of differences listed.
  public static let shownDifferences = 1_000
}

/// How thoroughly a destination is verified.
public enum VerificationLevel: String, Codable, Hashable, Sendable, CaseIterable {
  /// The store itself: structure, indexes, keys, references, metadata.
  case quick
  /// Every row against what the mapping says of its source.
  case full
}

/// How far a verification is.
package struct VerificationProgress: Hashable, Sendable {
  package enum Stage: String, Hashable, Sendable {
    case checking
    case expecting
    case evaluating
    case comparing
    case summing
  }

  package var stage: Stage
  package var rowsDone: Int64
  /// As far as known.
  package var rowsTotal: Int64
}

extension VerificationReport {
  /// One a line, then a sentence.
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
      rejected.map { "; \($0.grouped) were left out by the migration" } ?? ""
    return "\(destination): \(level.rawValue)\(rows), \(result)\(expectationSum)\(leftOut)"
  }
}

extension ExpectationResult {
  fileprivate var line: String {
    if isSkipped { return "skipped \(name): \(reason ?? "")" }
    return reason.map { "not ok  \(name): \($0)" } ?? "ok      \(name)"
  }
}

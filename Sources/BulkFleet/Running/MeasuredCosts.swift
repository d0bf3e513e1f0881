internal import BulkExecute

/// The time that stores take, by what those that are done took: planning knows only their sizes.
struct MeasuredCosts {
  /// The seconds that were planned and measured, by version; of `nil` those of all.
  private var sums: [String?: (planned: Double, measured: Double)] = [:]

  /// Takes the time of a store that one attempt has made.
  mutating func take(_ result: StoreResult) {
    guard result.outcome == .done, result.record.rowsBefore == nil else { return }
    let planned = FleetDraft.seconds(of: result.sourceBytes ?? 0)
    for version in [nil, result.version ?? ""] {
      let sum = sums[version] ?? (0, 0)
      sums[version] = (sum.planned + planned, sum.measured + (result.record.wallSeconds ?? 0))
    }
  }

  /// The seconds that stores of a version take for which so many were planned.
  func seconds(_ planned: Double, of version: String) -> Double {
    guard let sum = sums[version] ?? sums[nil] else { return planned }
    return planned * (sum.measured / sum.planned)
  }
}

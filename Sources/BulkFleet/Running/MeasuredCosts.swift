/// The time that stores take, by what those that are done took: planning knows only their sizes.
struct MeasuredCosts {
  private struct Sums {
    var planned = 0.0
    var measured = 0.0

    /// How much longer stores take than was planned; `nil` before the first one.
    var factor: Double? { planned > 0 ? measured / planned : nil }

    mutating func add(_ planned: Double, _ measured: Double) {
      self.planned += planned
      self.measured += measured
    }
  }

  private var ofVersions: [String: Sums] = [:]
  private var ofAll = Sums()
  /// The number of stores that were measured.
  private(set) var stores = 0

  /// Takes the time of a store that one attempt has made.
  mutating func take(_ result: StoreResult) {
    guard result.outcome == .done, result.resumedAtRow == nil else { return }
    let planned = FleetDraft.Bins().cost(result.sourceBytes ?? 0)
    stores += 1
    ofAll.add(planned, result.wallSeconds)
    ofVersions[result.version ?? "", default: Sums()].add(planned, result.wallSeconds)
  }

  /// The seconds that stores of a version take for which so many were planned.
  func seconds(_ planned: Double, of version: String) -> Double {
    planned * (ofVersions[version]?.factor ?? ofAll.factor ?? 1)
  }
}

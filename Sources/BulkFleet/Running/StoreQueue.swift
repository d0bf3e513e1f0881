/// The stores that wait for a worker: those of the list, and jobs that are tried again.
struct StoreQueue {
  private let list: FleetList
  private let versions: [String]
  /// The stores of each version, the next one last.
  private var lanes: [[StoreSelection.Choice]]
  private var retries: [StoreJob] = []
  private var alone: [StoreJob] = []
  private let verifies: Bool

  init(
    _ list: FleetList,
    _ stores: [StoreSelection.Choice],
    ofVersions versions: [String],
    verifies: Bool
  ) {
    self.list = list
    self.versions = versions
    self.verifies = verifies
    lanes = Array(repeating: [], count: versions.count)
    for store in stores.reversed() { lanes[Int(store.version)].append(store) }
  }

  var isEmpty: Bool { hasNoUntried && retries.isEmpty && alone.isEmpty }

  /// Whether the next store needs its own process.
  var isNextAlone: Bool { hasNoUntried && retries.isEmpty && !alone.isEmpty }

  private var hasNoUntried: Bool { lanes.allSatisfy(\.isEmpty) }

  /// Takes the next job: of the stores that were not tried the one that takes longest, then one to try again, last one
  /// that needs its own process.
  mutating func next(_ costs: MeasuredCosts) throws(FleetError) -> StoreJob? {
    var first: (lane: Int, seconds: Double, offset: Int64)?
    for (lane, stores) in lanes.enumerated() {
      guard let store = stores.last else { continue }
      let seconds = costs.seconds(Double(store.seconds), of: versions[lane])
      if let first, (first.seconds, -first.offset) > (seconds, -store.offset) { continue }
      first = (lane, seconds, store.offset)
    }
    if let first {
      lanes[first.lane].removeLast()
      let store = try list.store(at: first.offset)
      return StoreJob(store: store, attempt: 0, verifies: verifies)
    }
    if !retries.isEmpty { return retries.removeFirst() }
    return alone.isEmpty ? nil : alone.removeFirst()
  }

  mutating func add(_ job: StoreJob, alone isAlone: Bool) {
    if isAlone { alone.append(job) } else { retries.append(job) }
  }
}

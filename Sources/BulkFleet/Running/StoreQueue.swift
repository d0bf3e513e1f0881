/// The stores of a wave that wait for a worker: those of the list, and jobs that are tried again.
struct StoreQueue {
  /// The number of the wave, from 1.
  var wave = 1
  /// Whether to verify what is made.
  var verifies = false
  private let list: FleetList
  private let versions: [String]
  /// The stores of each version, the next one last.
  private var lanes: [[StoreSelection.Choice]]
  private var retries: [StoreJob] = []
  private var alone: [StoreJob] = []
  /// The queue that processes share; `nil` where all stores are this one's.
  private let shared: BinQueue?
  private var bins: BinOrder?
  /// Whether the stores are of a bin that another process holds.
  private var isOfOthers = false

  /// A queue of stores, or of those whose bins this process takes of a queue.
  init(
    _ list: FleetList,
    _ stores: [StoreSelection.Choice],
    ofVersions versions: [String],
    sharing shared: BinQueue? = nil
  ) {
    (self.list, self.versions, self.shared) = (list, versions, shared)
    lanes = Array(repeating: [], count: versions.count)
    bins = shared.map { BinOrder(stores, ofVersions: versions, in: $0) }
    if bins == nil { fill(stores) }
  }

  var isEmpty: Bool { hasNoUntried && retries.isEmpty && alone.isEmpty }

  /// Whether the next store needs its own process.
  var isNextAlone: Bool { hasNoUntried && retries.isEmpty && !alone.isEmpty }

  /// The number of stores that were not tried, but for those of bins that others hold.
  var untried: Int { lanes.reduce(bins?.untried ?? 0) { $0 + $1.count } }

  private var hasNoUntried: Bool { lanes.allSatisfy(\.isEmpty) && bins?.isEmpty != false }

  private mutating func fill(_ stores: some BidirectionalCollection<StoreSelection.Choice>) {
    for store in stores.reversed() { lanes[Int(store.version)].append(store) }
  }

  /// Takes the next bin where no store of one is left; what is left of another's bin is dropped when that has ended.
  ///
  /// - Throws: ``FleetError``.
  mutating func takeBin(_ costs: MeasuredCosts) throws(FleetError) {
    if isOfOthers, let bin = lanes.lazy.compactMap(\.last).first?.bin,
      try shared?.hasEnded(Int(bin)) == true
    {
      for lane in lanes.indices { lanes[lane] = [] }
    }
    guard lanes.allSatisfy(\.isEmpty), let bin = try bins?.next(costs) else { return }
    isOfOthers = bin.isOfOthers
    if isOfOthers { fill(bin.stores.reversed()) } else { fill(bin.stores) }
  }

  /// Takes the next job: of the stores that were not tried the one that takes longest, and of another's bin the one to
  /// which its owner comes last; then one to try again, last one that needs its own process.
  ///
  /// - Throws: ``FleetError``.
  mutating func next(_ costs: MeasuredCosts) throws(FleetError) -> StoreJob? {
    var first: (lane: Int, seconds: Double, place: Int64)?
    for (lane, stores) in lanes.enumerated() {
      guard let store = stores.last else { continue }
      let seconds = costs.seconds(Double(store.seconds), of: versions[lane])
      if let first {
        let isLater = (first.seconds, -first.place) > (seconds, -store.place)
        if isLater != isOfOthers { continue }
      }
      first = (lane, seconds, store.place)
    }
    if let first {
      lanes[first.lane].removeLast()
      let store = try list.store(at: first.place)
      let sharing: StoreJob.Sharing? = bins == nil ? nil : isOfOthers ? .others : .own
      return StoreJob(store: store, wave: wave, attempt: 0, verifies: verifies, sharing: sharing)
    }
    if !retries.isEmpty { return retries.removeFirst() }
    return alone.isEmpty ? nil : alone.removeFirst()
  }

  /// Lets a store be tried again.
  mutating func add(_ job: StoreJob, alone isAlone: Bool) {
    if isAlone { alone.append(job) } else { retries.append(job) }
  }
}

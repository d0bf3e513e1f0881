/// The stores of a wave that wait for a worker: those of the list, and jobs that are tried again.
struct StoreQueue {
  private typealias Choice = StoreSelection.Choice

  /// A bin of stores, with the seconds that are planned for those of each version.
  private struct Bin {
    let number: Int32
    var stores: [Choice] = []
    var planned: [Int32: Double] = [:]

    func seconds(_ costs: MeasuredCosts, _ versions: [String]) -> Double {
      planned.reduce(0) { $0 + costs.seconds($1.value, of: versions[Int($1.key)]) }
    }
  }

  /// The next store: one that was not tried, then one to try again, last one that needs its own
  /// process.
  enum Next {
    case store(FleetStore)
    case retry(StoreJob)
  }

  /// Whether the last store is of a bin that another process holds, and left to it if that holds the store, too.
  private(set) var isOfOthers = false
  private let list: FleetList
  private let versions: [String]
  /// The stores of each version, the next one last.
  private var lanes: [[Choice]]
  private var retries: [StoreJob] = []
  private var alone: [StoreJob] = []
  /// The queue from which bins are taken, and those that may be taken; `nil` where the stores are this process's.
  private let shared: BinQueue?
  private var bins: [Bin] = []
  /// The bins that other processes held.
  private var held: [Bin] = []

  /// A queue of the stores of a wave, or of those whose bins are taken from a queue.
  init(
    _ list: FleetList,
    _ stores: [StoreSelection.Choice],
    ofVersions versions: [String],
    sharing shared: BinQueue? = nil
  ) {
    self.list = list
    self.shared = shared
    self.versions = versions
    lanes = Array(repeating: [], count: versions.count)
    if shared == nil { fill(stores) }
    for store in stores where shared != nil {
      if bins.last?.number != store.bin { bins.append(Bin(number: store.bin)) }
      bins[bins.count - 1].stores.append(store)
      bins[bins.count - 1].planned[store.version, default: 0] += Double(store.seconds)
    }
  }

  var isEmpty: Bool { hasNoUntried && retries.isEmpty && alone.isEmpty }

  /// Whether the next store needs its own process.
  var isNextAlone: Bool { hasNoUntried && retries.isEmpty && !alone.isEmpty }

  private var hasNoUntried: Bool {
    lanes.allSatisfy(\.isEmpty) && bins.isEmpty && held.isEmpty
  }

  private mutating func fill(_ stores: some BidirectionalCollection<Choice>) {
    for store in stores.reversed() { lanes[Int(store.version)].append(store) }
  }

  /// Takes the next store: of the next ones of all versions the one that takes longest.
  ///
  /// - Throws: ``FleetError``.
  mutating func next(_ costs: MeasuredCosts) throws(FleetError) -> Next? {
    if lanes.allSatisfy(\.isEmpty) { takeBin(costs) }
    var longest: (lane: Int, seconds: Double, place: Int64)?
    for (lane, stores) in lanes.enumerated() {
      guard let store = stores.last else { continue }
      let seconds = costs.seconds(Double(store.seconds), of: versions[lane])
      if let longest, (longest.seconds, -longest.place) > (seconds, -store.place) { continue }
      longest = (lane, seconds, store.place)
    }
    if let longest {
      lanes[longest.lane].removeLast()
      return .store(try list.store(at: longest.place))
    }
    if !retries.isEmpty { return .retry(retries.removeFirst()) }
    return alone.isEmpty ? nil : .retry(alone.removeFirst())
  }

  /// Takes the free bin that takes longest; if there is none, of one that another process holds the stores that it comes
  /// to last.
  private mutating func takeBin(_ costs: MeasuredCosts) {
    guard let shared else { return }
    let seconds = bins.map { $0.seconds(costs, versions) }
    bins = bins.indices.sorted { seconds[$0] < seconds[$1] }.map { bins[$0] }
    while let bin = bins.popLast() {
      switch shared.take(Int(bin.number), stores: bin.stores.count) {
      case .taken: return fill(bin.stores)
      case .held: held.append(bin)
      case .ended: continue
      }
    }
    while let bin = held.popLast() {
      let state = shared.take(Int(bin.number), stores: bin.stores.count)
      if state == .ended { continue }
      isOfOthers = state == .held
      return isOfOthers ? fill(bin.stores.reversed()) : fill(bin.stores)
    }
  }

  /// Lets a store be tried again.
  mutating func add(_ job: StoreJob, alone isAlone: Bool) {
    if isAlone { alone.append(job) } else { retries.append(job) }
  }
}

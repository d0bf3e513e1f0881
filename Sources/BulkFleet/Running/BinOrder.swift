/// The bins of a queue in the order in which a process takes them.
///
/// Free ones come first, those that take longest before others; then, once each, those that other processes hold.
struct BinOrder {
  typealias Choice = StoreSelection.Choice

  /// A bin, with the seconds that are planned for its stores of each version.
  private struct Bin {
    let number: Int32
    var stores: [Choice] = []
    var planned: [Int32: Double] = [:]
  }

  private let queue: BinQueue
  private let versions: [String]
  /// The bins that this process has not asked for, in ascending order of their time.
  private var waiting: [Bin] = []
  /// Those that others held, and those of them that this process has helped with.
  private var held: [Bin] = []
  private var helped: [Bin] = []
  /// The number of measured stores by which bins were sorted.
  private var measured = -1

  init(_ stores: [Choice], ofVersions versions: [String], in queue: BinQueue) {
    (self.queue, self.versions) = (queue, versions)
    for store in stores {
      if waiting.last?.number != store.bin { waiting.append(Bin(number: store.bin)) }
      waiting[waiting.count - 1].stores.append(store)
      waiting[waiting.count - 1].planned[store.version, default: 0] += Double(store.seconds)
    }
  }

  var isEmpty: Bool { waiting.isEmpty && held.isEmpty && helped.isEmpty }

  /// The number of stores in bins that were not asked for.
  var untried: Int { waiting.reduce(0) { $0 + $1.stores.count } }

  /// Takes the next bin.
  ///
  /// - Returns: Its stores in order, and whether another process holds it; `nil` if none is left.
  /// - Throws: ``FleetError``.
  mutating func next(
    _ costs: MeasuredCosts
  ) throws(FleetError) -> (stores: [Choice], isOfOthers: Bool)? {
    sort(by: costs)
    while let bin = waiting.popLast() {
      switch try take(bin) {
      case .taken: return (bin.stores, false)
      case .held: held.append(bin)
      case .ended: continue
      }
    }
    // Processes that help begin with different bins.
    held.shuffle()
    if !queue.helps { (helped, held) = (helped + held, []) }
    while let bin = held.popLast() {
      switch try take(bin) {
      case .taken: return (bin.stores, false)
      case .held:
        helped.append(bin)
        return (bin.stores, true)
      case .ended: continue
      }
    }
    // Whoever held one may be gone.
    while let bin = helped.popLast() {
      if try take(bin) == .taken { return (bin.stores, false) }
    }
    return nil
  }

  private func take(_ bin: Bin) throws(FleetError) -> BinQueue.State {
    try queue.take(Int(bin.number), stores: bin.stores.count)
  }

  /// Sorts the bins again when twice as many stores are measured.
  private mutating func sort(by costs: MeasuredCosts) {
    guard measured < 0 || costs.stores >= 2 * max(measured, 1) else { return }
    measured = costs.stores
    let seconds = waiting.map { bin in
      bin.planned.reduce(0) { $0 + costs.seconds($1.value, of: versions[Int($1.key)]) }
    }
    waiting = waiting.indices.sorted { (seconds[$0], $1) < (seconds[$1], $0) }.map { waiting[$0] }
  }
}

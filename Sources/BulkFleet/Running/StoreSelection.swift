internal import BulkPlatform

/// The stores that a process takes of a fleet, and the waves in which it takes them.
package struct StoreSelection {
  package enum Part: Hashable, Sendable {
    case all
    /// The bins from `number` on, every `of`-th.
    case bins(number: Int, of: Int)

    func contains(_ bin: Int) -> Bool {
      guard case .bins(let number, let total) = self else { return true }
      return (bin - 1) % total == number - 1
    }
  }

  /// The properties that decide whether a store is a canary.
  private struct Trait {
    let place: Int64
    let version: String
    let bytes: Int64
  }

  /// The places of the stores, wave by wave.
  let waves: [[Int64]]
  /// The number of all stores.
  package let count: Int
  /// The number of waves of stores of this part; the others are of other parts.
  let ownWaves: Int
  /// Whether the first wave is one of canaries.
  let hasCanaries: Bool

  /// Chooses stores.
  ///
  /// Canaries are taken across versions and sizes: of all stores by version and size, every n-th. What cannot be migrated
  /// as it is would prove nothing, and is none.
  ///
  /// - Parameters:
  ///   - list: The list of stores.
  ///   - part: Which stores.
  ///   - canary: How many stores come first; `nil` for none.
  ///   - wave: How many stores a wave after that has; `nil` for all.
  ///   - takesOver: Whether the stores of other parts follow, the last ones of those first.
  /// - Throws: ``FleetError``.
  package init(
    _ list: FleetList,
    _ part: Part,
    canary: FleetLimit?,
    wave: FleetLimit?,
    takesOver: Bool = false
  ) throws(FleetError) {
    var places: [Int64] = []
    var traits: [Trait] = []
    var others: [Int64] = []
    try list.read(bins: takesOver ? { _ in true } : part.contains) {
      place,
      store throws(FleetError) in
      guard part.contains(store.bin) else { return others.append(place) }
      places.append(place)
      if canary != nil, store.fault == nil {
        traits.append(Trait(place: place, version: store.version ?? "", bytes: store.bytes ?? -1))
      }
    }
    count = places.count + (takesOver ? others.count : 0)
    let chosen =
      canary.map { Self.canaries(traits, min($0.count(of: places.count), traits.count)) } ?? []
    hasCanaries = !chosen.isEmpty
    let rest = chosen.isEmpty ? places : places.filter { !chosen.contains($0) }
    var waves = chosen.isEmpty ? [] : [places.filter(chosen.contains)]
    let size = max(1, wave?.count(of: places.count) ?? rest.count)
    for start in stride(from: 0, to: rest.count, by: size) {
      waves.append(Array(rest[start..<min(start + size, rest.count)]))
    }
    ownWaves = waves.count
    self.waves = takesOver && !others.isEmpty ? waves + [others.reversed()] : waves
  }

  /// The places of the canaries: at least one of each version, as long as there are so many.
  private static func canaries(_ traits: [Trait], _ count: Int) -> Set<Int64> {
    guard count > 0, !traits.isEmpty else { return [] }
    let sorted = traits.sorted {
      ($0.version, -$0.bytes, $0.place) < ($1.version, -$1.bytes, $1.place)
    }
    var chosen: Set<Int64> = []
    var last: String?
    for trait in sorted where trait.version != last && chosen.count < count {
      last = trait.version
      chosen.insert(trait.place)
    }
    // The rest from the middle of as many equal parts, so that small stores are among them, too.
    let left = count - chosen.count
    for part in 0..<left { chosen.insert(sorted[(2 * part + 1) * sorted.count / (2 * left)].place) }
    return chosen
  }
}

/// A number of stores, or a share of them.
package enum FleetLimit: Hashable, Sendable {
  case count(Int)
  /// A share from 0 to 1.
  case share(Double)

  /// The number, of so many stores; a share is rounded up.
  func count(of total: Int) -> Int {
    switch self {
    case .count(let count): min(count, total)
    case .share(let share): min(total, Int((Double(total) * share).rounded(.up)))
    }
  }

  /// Whether so many failures are allowed.
  func allows(_ failures: Int, of total: Int) -> Bool {
    switch self {
    case .count(let count): failures <= count
    case .share(let share): Double(failures) <= Double(total) * share
    }
  }
}

/// The stores of a wave that wait for a worker: places in the list, and jobs that are tried again.
struct StoreQueue {
  private let list: FleetList
  private var places: ArraySlice<Int64>
  private var retries: [StoreJob] = []
  private var alone: [StoreJob] = []

  init(_ list: FleetList, _ places: [Int64]) {
    self.list = list
    self.places = places[...]
  }

  var isEmpty: Bool { places.isEmpty && retries.isEmpty && alone.isEmpty }

  /// Whether the next store needs its own process.
  var isNextAlone: Bool { places.isEmpty && retries.isEmpty && !alone.isEmpty }

  /// The next store: one that was not tried, then one to try again, last one that needs its own
  /// process.
  enum Next {
    case store(FleetStore)
    case retry(StoreJob)
  }

  mutating func next() throws(FleetError) -> Next? {
    if let place = places.popFirst() { return .store(try list.store(at: place)) }
    if !retries.isEmpty { return .retry(retries.removeFirst()) }
    return alone.isEmpty ? nil : .retry(alone.removeFirst())
  }

  /// Lets a store be tried again.
  mutating func add(_ job: StoreJob, alone isAlone: Bool) {
    if isAlone { alone.append(job) } else { retries.append(job) }
  }
}

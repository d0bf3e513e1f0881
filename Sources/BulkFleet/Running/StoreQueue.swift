internal import BulkPlatform

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

  /// Whether nothing waits.
  var isEmpty: Bool { places.isEmpty && retries.isEmpty && alone.isEmpty }

  /// Whether what comes next needs a process of its own.
  var isNextAlone: Bool { places.isEmpty && retries.isEmpty && !alone.isEmpty }

  /// What comes next: stores that were not tried, then those to try again, last those that need a process of their own.
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

internal import BulkSupport

/// The stores that a process takes of a fleet: canaries, and then the others.
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

  private typealias Trait = (offset: Int64, version: String, bytes: Int64)

  struct Choice: Hashable {
    let offset: Int64
    /// Its version, an index of ``versions``.
    let version: Int32
    let seconds: Float
  }

  let canaries: [Choice]
  let others: [Choice]
  /// The names of the versions that stores have, empty for an unknown one.
  private(set) var versions: [String] = []
  package let count: Int

  /// Chooses stores, and canaries among them; `nil` for no canaries.
  ///
  /// Canaries are taken across versions and sizes: of all stores by version and size, every n-th. What cannot be
  /// migrated as it is would prove nothing, and is none.
  package init(_ list: FleetList, _ part: Part, canary: FleetLimit?) throws(FleetError) {
    var stores: [Choice] = []
    var traits: [Trait] = []
    var versions: [String: Int32] = [:]
    try list.read(bins: part.contains) { offset, store throws(FleetError) in
      let version = store.version ?? ""
      let choice = Choice(
        offset: offset,
        version: versions[version, default: Int32(versions.count)],
        seconds: Float(FleetDraft.seconds(of: store.bytes ?? 0))
      )
      versions[version] = choice.version
      stores.append(choice)
      if canary != nil, store.fault == nil {
        traits.append((offset, version, store.bytes ?? -1))
      }
    }
    self.versions = versions.sorted { $0.value < $1.value }.map(\.key)
    count = stores.count
    let chosen =
      canary.map { Self.canaries(traits, min($0.count(of: stores.count), traits.count)) } ?? []
    canaries = stores.filter { chosen.contains($0.offset) }
    others = chosen.isEmpty ? stores : stores.filter { !chosen.contains($0.offset) }
  }

  /// The offsets of the canaries: at least one of each version, as long as there are so many.
  private static func canaries(_ traits: [Trait], _ count: Int) -> Set<Int64> {
    guard count > 0, !traits.isEmpty else { return [] }
    let sorted = traits.sorted {
      ($0.version, -$0.bytes, $0.offset) < ($1.version, -$1.bytes, $1.offset)
    }
    var chosen: Set<Int64> = []
    var last: String?
    for trait in sorted where trait.version != last && chosen.count < count {
      last = trait.version
      chosen.insert(trait.offset)
    }
    // The rest from the middle of as many equal parts, so that small stores are among them, too.
    let left = count - chosen.count
    for part in 0..<left {
      chosen.insert(sorted[(2 * part + 1) * sorted.count / (2 * left)].offset)
    }
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

  func allows(_ failures: Int, of total: Int) -> Bool {
    switch self {
    case .count(let count): failures <= count
    case .share(let share): Double(failures) <= Double(total) * share
    }
  }
}

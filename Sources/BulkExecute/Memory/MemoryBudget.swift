package import BulkSupport
package import BulkPlan
package import BulkStore

/// Divides a migration's memory: nothing that grows with the store holds more than its use's share.
///
/// The baseline of the process is measured; the rest of the limit is divided among the uses of the
/// plan. Every use gets its minimum, and the remainder is divided in proportion to the useful
/// maximum of each: larger caches than the plan's maximum make nothing faster.
package struct MemoryBudget: Sendable {
  package let limit: ByteCount
  private let granted: [MemoryUse: Int64]

  /// Throws ``MigrationError/limitTooSmall(limit:needed:largestRow:)`` before anything is made.
  package init(
    limit: ByteCount,
    base: ByteCount,
    for plan: MigrationPlan
  ) throws(MigrationError) {
    let needed = plan.smallestMemoryLimit(base: base)
    guard limit >= needed else {
      throw .limitTooSmall(limit: limit, needed: needed, largestRow: plan.memory.largestRow)
    }
    self.limit = limit
    let shares = plan.memory.shares + Self.largestShares(of: plan.passes)
    let least = shares.reduce(0) { $0 + $1.leastBytes }
    let wanted = shares.reduce(0) { $0 + $1.mostBytes - $1.leastBytes }
    // Fractions of a MiB are not worth a cache, and stay free.
    let left = max(limit.bytes - base.bytes - least, 0)
    let fraction = wanted == 0 ? 0 : min(Double(left) / Double(wanted), 1)
    granted = Dictionary(
      shares.map { share in
        let more = Double(share.mostBytes - share.leastBytes) * fraction
        return (share.use, share.leastBytes + Int64(more))
      },
      uniquingKeysWith: +
    )
  }

  /// The largest share of each use that only passes have.
  ///
  /// Passes run one after another, so each takes over the memory of the one before.
  private static func largestShares(of passes: [MigrationPlan.Pass]) -> [MemoryShare] {
    let shares = Dictionary(grouping: passes.flatMap(\.memory), by: \.use)
    return shares.keys.sorted { $0.rawValue < $1.rawValue }.map { use in
      let least = shares[use]?.map(\.leastBytes).max() ?? 0
      return MemoryShare(use, least: least, most: shares[use]?.map(\.mostBytes).max() ?? 0)
    }
  }

  /// The bytes that all holders of a use may have together; 0 for one that the plan does not have.
  package func share(of use: MemoryUse) -> Int64 { granted[use] ?? 0 }
}

extension MemoryBudget {
  private static let ordinaryValue: Int64 = 8 << 20

  /// SQLite's sorter takes as much as the cache of the file being written, for each of its two threads, so the
  /// smaller of the cache's share and half of the sorter's applies.
  package var caches: StoreSession.CacheSizes {
    let kibibyte: Int64 = 1024
    return StoreSession.CacheSizes(
      destination: Int(min(share(of: .destinationCache), share(of: .sorter) / 2) / kibibyte),
      source: Int(share(of: .sourceCache) / kibibyte),
      lookups: Int(share(of: .lookups) / kibibyte),
      temporary: Int(max(share(of: .temporaryTables), 1 << 18) / kibibyte),
      // Rows that are not large have a few MiB at most; they are part of the program's needs.
      largestValue: Int(max(share(of: .largestRow), Self.ordinaryValue))
    )
  }
}

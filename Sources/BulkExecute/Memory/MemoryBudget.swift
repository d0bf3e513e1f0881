package import BulkCoding
package import BulkPlan
package import BulkStore
internal import Synchronization

/// Divides a migration's memory: everything that grows with the store is reserved here before it is
/// allocated.
///
/// The baseline of the process is measured; the rest of the limit is divided among the uses of the
/// plan. Every use gets its minimum, and the remainder is divided in proportion to the useful
/// maximum of each: larger caches than the plan's maximum make nothing faster.
package final class MemoryBudget: Sendable {
  /// The limit for the whole process.
  package let limit: ByteCount
  private let granted: [MemoryUse: Int64]
  /// The bytes that are in use, by use.
  private let taken = Mutex<[MemoryUse: Int64]>([:])

  /// Divides the limit of the process, whose baseline is known, among the needs that a plan states.
  ///
  /// - Throws: ``MigrationError/limitTooSmall(limit:needed:largestRow:)`` before anything is made.
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
    Dictionary(grouping: passes.flatMap(\.memory), by: \.use).sorted {
      $0.key.rawValue < $1.key.rawValue
    }
    .map { use, shares in
      MemoryShare(
        use,
        least: shares.map(\.leastBytes).max() ?? 0,
        most: shares.map(\.mostBytes).max() ?? 0
      )
    }
  }

  /// The bytes that a use may reserve.
  package func share(of use: MemoryUse) -> Int64 { granted[use] ?? 0 }

  /// The bytes that a use has not reserved yet.
  package func left(for use: MemoryUse) -> Int64 {
    share(of: use) - taken.withLock { $0[use] ?? 0 }
  }

  /// Reserves bytes for a use until the last reference to the reservation ends; `nil` if the use has fewer left.
  package func take(_ bytes: Int64, for use: MemoryUse) -> MemoryReservation? {
    let isTaken = taken.withLock { taken in
      let sum = (taken[use] ?? 0) + bytes
      guard sum <= share(of: use) else { return false }
      taken[use] = sum
      return true
    }
    return isTaken ? MemoryReservation(self, bytes, use) : nil
  }

  /// Reserves everything that a use has left, for a use with a single holder.
  package func takeAll(for use: MemoryUse) -> MemoryReservation? {
    take(left(for: use), for: use)
  }

  /// Returns bytes; only a reservation does.
  func giveBack(_ bytes: Int64, of use: MemoryUse) {
    taken.withLock { taken in
      let rest = (taken[use] ?? 0) - bytes
      assert(rest >= 0, "more memory for \(use.rawValue) is given back than was taken")
      taken[use] = rest
    }
  }
}

extension MemoryBudget {
  private static let ordinaryValue: Int64 = 8 << 20

  /// The caches that the plan's shares allow.
  ///
  /// SQLite's sorter takes as much as the cache of the file being written, for each of its two threads, so
  /// the smaller of the cache's share and half of the sorter's applies.
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

/// Bytes that a use has reserved from a budget; the last reference to this returns them.
package final class MemoryReservation: Sendable {
  private let budget: MemoryBudget
  private let use: MemoryUse
  /// The number of bytes.
  package let bytes: Int64

  init(_ budget: MemoryBudget, _ bytes: Int64, _ use: MemoryUse) {
    assert(bytes >= 0, "a reservation has a number of bytes")
    self.budget = budget
    self.bytes = bytes
    self.use = use
  }

  deinit { budget.giveBack(bytes, of: use) }
}

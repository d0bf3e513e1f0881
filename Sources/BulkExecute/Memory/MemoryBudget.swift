package import BulkCoding
package import BulkPlan
package import BulkStore
internal import Synchronization

/// The accountant of a migration's memory: everything that grows with the store asks here before it
/// allocates.
///
/// What the process holds before it begins is measured; the rest of the limit is divided among the
/// uses that the plan tells of. Every use gets the least that it needs, and what is left is divided in
/// proportion to what each can use well: larger caches than the plan's most make nothing faster.
package final class MemoryBudget: Sendable {
  /// The limit for the whole process.
  package let limit: ByteCount
  private let granted: [MemoryUse: Int64]
  /// The bytes that are in use, by use.
  private let taken = Mutex<[MemoryUse: Int64]>([:])

  /// Divides a limit.
  ///
  /// - Parameters:
  ///   - limit: The limit for the whole process.
  ///   - base: What the process held before it began.
  ///   - plan: The plan that tells what is needed.
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

  /// Of every use that only passes have, the share of the pass that needs the most for it.
  ///
  /// Passes follow one another, and what one has taken the next takes over.
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

  /// The bytes that a use may take.
  package func share(of use: MemoryUse) -> Int64 { granted[use] ?? 0 }

  /// The bytes that a use has not taken yet.
  package func left(for use: MemoryUse) -> Int64 {
    share(of: use) - taken.withLock { $0[use] ?? 0 }
  }

  /// Takes bytes for a use.
  ///
  /// - Returns: The bytes, which are given back when nothing refers to them any more; `nil` if the use
  ///   has not so many left.
  package func take(_ bytes: Int64, for use: MemoryUse) -> MemoryReservation? {
    let isTaken = taken.withLock { taken in
      let sum = (taken[use] ?? 0) + bytes
      guard sum <= share(of: use) else { return false }
      taken[use] = sum
      return true
    }
    return isTaken ? MemoryReservation(self, bytes, use) : nil
  }

  /// Takes everything that a use has left, where one thing alone has the use.
  package func takeAll(for use: MemoryUse) -> MemoryReservation? {
    take(left(for: use), for: use)
  }

  /// Gives bytes back; only a reservation does.
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
  /// SQLite's sorter takes as much as the cache of the file that is written, for each of its two threads,
  /// so that the smaller of the cache's share and half of the sorter's counts.
  package var caches: StoreSession.CacheSizes {
    let kibibyte: Int64 = 1024
    return StoreSession.CacheSizes(
      destination: Int(min(share(of: .destinationCache), share(of: .sorter) / 2) / kibibyte),
      source: Int(share(of: .sourceCache) / kibibyte),
      temporary: Int(max(share(of: .temporaryTables), 1 << 18) / kibibyte),
      // Rows that are not large have a few MiB at most; they are part of what the program needs.
      largestValue: Int(max(share(of: .largestRow), Self.ordinaryValue))
    )
  }
}

/// Bytes that a use has taken from a budget; they are given back when nothing refers to this any more.
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

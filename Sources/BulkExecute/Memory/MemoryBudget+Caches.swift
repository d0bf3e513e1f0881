internal import BulkPlan
package import BulkStore

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

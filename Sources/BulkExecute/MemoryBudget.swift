package import BulkCoding
package import BulkStore

/// How a memory limit is divided.
///
/// What the process holds before it opens a store is measured; the rest goes to SQLite's caches, which
/// are the only things that could grow with a store. Larger caches than ``bestCache`` make nothing
/// faster: fresh memory costs more than the page cache of the system.
package struct MemoryBudget: Sendable {
  /// The limit for the whole process.
  package let limit: ByteCount
  /// The caches that fit it.
  package let caches: StoreWriter.CacheSizes

  /// What SQLite and the allocator use beside caches: statements, schema, sorter heads, fragments.
  private static let overhead = ByteCount.mebibytes(12)
  private static let smallestCache = ByteCount.mebibytes(1)
  private static let bestCache = ByteCount.mebibytes(16)

  /// A budget under a limit.
  ///
  /// - Parameters:
  ///   - limit: The limit for the whole process.
  ///   - base: What the process holds already.
  /// - Throws: ``MigrationError/limitTooSmall(limit:needed:)``.
  package init(limit: ByteCount, base: ByteCount) throws(MigrationError) {
    // The sorter of an index holds as much as the destination's cache besides.
    let shares: Int64 = 3
    let needed = base + Self.overhead + Self.smallestCache * shares
    guard limit >= needed else { throw .limitTooSmall(limit: limit, needed: needed) }
    let share = min((limit - base - Self.overhead) / shares, Self.bestCache)
    self.limit = limit
    caches = StoreWriter.CacheSizes(
      destination: Int(share.bytes / 1024),
      source: Int(share.bytes / 1024)
    )
  }
}

package import BulkCoding
internal import BulkPlan
internal import Synchronization

/// The memory that the process holds besides migrations.
package enum BaseMemory {
  /// The bytes that an earlier run has left and the next one needs again: code, and what the allocator keeps.
  private static let left = Atomic<Int64>(0)

  /// What the process holds now without that; an assumption where the system does not report it.
  package static var now: ByteCount {
    guard let held = ProcessMemory.resident else { return .mebibytes(24) }
    return ByteCount(bytes: max(0, held.bytes - left.load(ordering: .relaxed)))
  }

  /// Notes what a run has left, at most what its plan has for it.
  static func end(_ run: Migration) {
    guard let held = ProcessMemory.resident,
      let share = run.plan.memory.shares.first(where: { $0.use == .program })
    else { return }
    let growth = min(held.bytes - run.base.bytes, share.leastBytes)
    left.store(max(0, growth), ordering: .relaxed)
  }
}

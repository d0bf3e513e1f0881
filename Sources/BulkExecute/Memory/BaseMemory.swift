package import BulkSupport
internal import BulkPlan
internal import Synchronization

/// The memory that the process holds apart from migrations.
package enum BaseMemory {
  /// The bytes that an earlier run has left and the next one needs again: code, and what the allocator keeps.
  private static let left = Atomic<Int64>(0)

  /// The memory that the process holds now, less those bytes; 24 MiB where the system does not report it.
  package static var now: ByteCount {
    guard let held = ProcessMemory.resident else { return .mebibytes(24) }
    return ByteCount(bytes: max(0, held.bytes - left.load(ordering: .relaxed)))
  }

  /// Notes what a run has left of what its plan had for code and the allocator.
  static func end(_ plan: MigrationPlan, since base: ByteCount) {
    guard let held = ProcessMemory.resident,
      let share = plan.memory.shares.first(where: { $0.use == .program })
    else { return }
    left.store(max(0, min(held.bytes - base.bytes, share.leastBytes)), ordering: .relaxed)
  }
}

internal import BulkPlan

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

internal import CBulkSQLite

/// Memory that the process holds beyond what it uses.
package enum HeldMemory {
  /// Returns to the system what was freed, where the allocator keeps it.
  package static func giveBack() { bulk_heap_give_back() }
}

internal import CBulkSQLite

/// Memory that the process holds beyond its use.
package enum HeldMemory {
  /// Returns freed memory to the system, where the allocator keeps it.
  package static func giveBack() { bulk_heap_give_back() }
}

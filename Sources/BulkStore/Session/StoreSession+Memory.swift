internal import BulkSQLite

extension StoreSession {
  /// Returns to the system what ended sessions of this process have freed, where the allocator keeps it.
  package static func giveBackMemory() { HeldMemory.giveBack() }
}

import BulkMigrate
import Foundation

/// Brings the store to the current version, in its place.
func bringUpToDate(_ store: URL, models: URL) async throws {
  try await StoreMigration(inPlace: store, models: [models]).migrate()
}

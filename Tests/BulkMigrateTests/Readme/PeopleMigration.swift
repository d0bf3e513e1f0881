import BulkMigrate
import Foundation

/// Migrates People.sqlite, or resumes where that was interrupted.
func migratePeople(in folder: URL) async throws -> Int64 {
  var migration = StoreMigration(
    source: folder.appendingPathComponent("People.sqlite"),
    destination: folder.appendingPathComponent("People-v2.sqlite"),
    mapping: folder.appendingPathComponent("v1-to-v2.json"),
    policies: ["SplitName": SplitName()]
  )
  migration.progressHandler = { step in print("\(step.rowsDone) of \(step.rowsTotal) rows") }
  return try await migration.runOrResume().rows
}

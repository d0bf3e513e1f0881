import BulkMigrate
import Foundation

/// Migrates People.sqlite, or resumes where that was interrupted.
func migratePeople(in folder: URL) async throws -> Int64 {
  let migration = StoreMigration(
    source: folder.appendingPathComponent("People.sqlite"),
    destination: folder.appendingPathComponent("People-v2.sqlite"),
    mapping: folder.appendingPathComponent("v1-to-v2.json"),
    policies: ["SplitName": SplitName()]
  )
  let progress = migration.progress
  async let outcome = migration.runOrResume()
  for await step in progress { print("\(step.rowsDone) of \(step.rowsTotal) rows") }
  return try await outcome.rows
}

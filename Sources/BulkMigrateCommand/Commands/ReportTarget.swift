import BulkExecute
import BulkPlan
import BulkPlatform
import BulkReport

/// The file of a report.
struct ReportTarget {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Refuses a file that cannot be made, or that is something else, before any work is done for it.
  func refuse(besides plan: MigrationPlan? = nil) throws(MigrationError) {
    try OwnFile(path: path, beginning: ReportPage.beginning, kind: "report").refuse(besides: plan)
  }

  /// Writes a report, in place of an earlier one.
  func write(_ facts: ReportFacts) throws {
    do {
      try Data(ReportPage(facts).text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch let error as CocoaError {
      throw MigrationError.cannotCreate(path: path, reason: CocoaReason.text(of: error))
    }
  }
}

extension ReportTarget {
  /// Writes a report of a migration that is left with work to do; the outcome matters more than a report that fails.
  func leave(_ state: ReportFacts.State, _ migration: Migration, _ output: Output) {
    var facts = ReportFacts(of: MigrationStatus(migration.stateLocation), migration.plan)
    facts.state = state
    facts.measures = migration.measures?.record
    do {
      // A file of this name may have been made meanwhile.
      try refuse(besides: migration.plan)
      try write(facts)
    } catch {
      output.warning("\(error)")
    }
  }
}

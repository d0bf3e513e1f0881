import BulkExecute
import BulkPlan
import BulkPlatform
import BulkReport

struct ReportTarget {
  let path: String

  /// Refuses a file that cannot be made, or that is something else, before any work is done for it.
  func refuse(besides plan: MigrationPlan? = nil) throws(MigrationError) {
    try OwnFile(path: path, beginning: ReportPage.beginning, kind: "report").refuse(besides: plan)
  }

  /// Writes a report, in place of an earlier one.
  func write(_ page: ReportPage) throws(MigrationError) {
    try OwnFile.write(page.text, to: path, ofStore: page.plan.source.store)
  }

  /// Prints a page with its warnings for `-`, or writes it.
  func publish(
    _ page: ReportPage,
    besides plan: MigrationPlan?,
    _ output: Output
  ) throws -> ExitCode {
    for warning in page.warnings { output.warning(warning) }
    return try publish(page.text, ofStore: page.plan.source.store, besides: plan, output)
  }

  /// Prints the text of a page for `-`, or writes it.
  func publish(
    _ page: String,
    ofStore source: String,
    besides plan: MigrationPlan?,
    _ output: Output
  ) throws -> ExitCode {
    guard path != "-" else {
      try output.result(page)
      return .done
    }
    try refuse(besides: plan)
    try OwnFile.write(page, to: path, ofStore: source)
    return try WrittenFile(path: path).report("report", output)
  }
}

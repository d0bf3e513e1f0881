/// `bulkmigrate fleet`: migrates many stores by one manifest.
enum FleetCommand {
  /// The file that `fleet plan` writes and the others read by default.
  static let defaultPath = "bulkmigrate.fleet.json"
  /// The file of results by default.
  static let defaultResults = "bulkmigrate.results.jsonl"

  static let command = Command(
    group: "fleet",
    summary: "Migrate many stores by one manifest: plan, run, status, report, retry.",
    explanation: """
      A fleet is one store per user, tenant or device. plan reads the manifest and writes \(defaultPath); run \
      migrates every store exactly once, with worker processes that may end at any instant; the others show what \
      became of each. Every store goes through the contract of run --resume-if-started.
      """,
    [
      FleetPlanCommand.command, FleetRunCommand.command, FleetStatusCommand.command,
      FleetReportCommand.command, FleetRetryCommand.command, FleetPauseCommand.command,
      FleetThrottleCommand.command, FleetMemoryCommand.command, FleetWorkCommand.command,
    ]
  )
}

import BulkFleet

enum FleetCommand {
  /// The file that `fleet plan` writes and the others read by default.
  static let defaultPath = "bulkmigrate.fleet.json"
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
      FleetReportCommand.command, FleetRetryCommand.command, FleetWorkCommand.command,
    ]
  )
}

extension FleetError: ErrorWithExitCode {
  var exitCode: ExitCode { ExitCode(rawValue: code) ?? .failed }
}

extension FleetRun.Ending {
  var exitCode: ExitCode {
    switch self {
    case .done: .done
    case .failuresAllowed: .rejected
    case .tooManyFailures: .failed
    case .verificationFailed: .verificationFailed
    case .workLeft: .workLeft
    }
  }
}

extension FleetLimit: OptionValue {
  /// Parses a number of stores, or a share in percent.
  init(parsing text: String) throws(UsageError) {
    if let share = Double(percentage: text) {
      self = .share(share)
    } else if let count = Int(text.replacing(",", with: "")), count >= 0 {
      self = .count(count)
    } else {
      throw UsageError(text, among: ["a number of stores", "a share as 1%"])
    }
  }
}

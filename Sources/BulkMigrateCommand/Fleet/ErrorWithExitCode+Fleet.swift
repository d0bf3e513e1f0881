import BulkFleet

extension FleetError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .manifest, .badFleet: .badData
    case .unreadable, .notAtWork: .noInput
    case .stale: .stalePlan
    case .cannotWrite, .table: .cannotCreate
    case .locked: .locked
    case .noWorker: .temporaryFailure
    }
  }
}

extension StageFailure: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .absent: .noInput
    case .taken: .cannotCreate
    case .failed: .inputOutput
    }
  }
}

extension FleetRun.Ending {
  /// The exit code of `fleet run`.
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

extension FleetLimit {
  /// Parses a number of stores, or a share in percent.
  init(parsing text: String) throws(UnknownWord) {
    if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
      self = .share(share / 100)
    } else if let count = Int(text.replacing(",", with: "")), count >= 0 {
      self = .count(count)
    } else {
      throw UnknownWord(text, among: ["a number of stores", "a share as 1%"])
    }
  }
}

extension ExitCode {
  /// One line for `bulkmigrate help exit-codes`.
  var explanation: String {
    switch self {
    case .done: "done"
    case .failed: "failed; the state is kept, and the message says whether resume can go on"
    case .workFound: "plan --detailed-exitcode found work to do"
    case .verificationFailed: "rows of the source are not accounted for; nothing was published"
    case .stalePlan: "the plan is stale: the source is not what it was planned for"
    case .workLeft: "stopped on purpose with work left; run resume"
    case .limitTooSmall: "the memory limit, the disk or the time is too small; nothing was started"
    case .locked: "locked by a live process"
    case .fenced: "overtaken by another attempt; nothing of this one counts"
    case .usage: "the command line was not understood"
    case .badData:
      "damaged or contradictory model, mapping, plan, store or checkpoint; or more would be lost than "
        + "--max-loss allows"
    case .noInput: "an input is missing or cannot be read"
    case .cannotCreate: "an output cannot be created, or exists already"
    case .inputOutput: "reading or writing failed"
    case .temporaryFailure: "something temporary is in the way; try again later"
    case .hungUp: "stopped by SIGHUP after a checkpoint; run resume"
    case .interrupted: "stopped by SIGINT after a checkpoint; run resume"
    case .terminated: "stopped by SIGTERM after a checkpoint; run resume"
    }
  }
}

/// The exit code of the program.
///
/// The numbers are part of the interface: scripts branch on them. Those from 64 to 75 are the ones of BSD's
/// `sysexits.h`; those above 128 are 128 plus the number of a signal. ``explanation`` says what each means.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case workFound = 2
  case rejected = 3
  case verificationFailed = 4
  case stalePlan = 5
  case workLeft = 6
  case limitTooSmall = 7
  case locked = 8
  case fenced = 9
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
  case inputOutput = 74
  case temporaryFailure = 75
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}

extension ExitCode {
  /// One line for `bulkmigrate help exit-codes`.
  var explanation: String {
    switch self {
    case .done: "done"
    case .failed: "failed; the state is kept, and the message says whether resume can continue"
    case .workFound: "plan --detailed-exitcode found work to do"
    case .rejected:
      "done, but for objects that break rules, which are left out, or for stores of a fleet that failed"
    case .verificationFailed:
      "verify found a difference, or rows of the source are not accounted for and nothing was published"
    case .stalePlan: "the plan is stale: the source is not what it was planned for"
    case .workLeft: "stopped on purpose with work left; run resume"
    case .limitTooSmall:
      "the memory limit, the disk, the time or the number of open files is too small; nothing was started"
    case .locked: "locked by a live process"
    case .fenced: "overtaken by another attempt; nothing of this one counts"
    case .usage: "the command line was not understood"
    case .badData:
      "damaged or contradictory model, mapping, plan, store or checkpoint; or more would be lost than "
        + "--max-loss allows, preflight --strict found something, or an expression fails that mapping try "
        + "or evaluate shows"
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

protocol ErrorWithExitCode: Error {
  /// The code; an error without one ends the program with ``ExitCode/failed``.
  var exitCode: ExitCode { get }
}

/// Why a command does not begin, or goes no further, for a reason of its own.
struct Refusal: ErrorWithExitCode, CustomStringConvertible {
  let exitCode: ExitCode
  let description: String

  init(_ exitCode: ExitCode, _ description: String) {
    (self.exitCode, self.description) = (exitCode, description)
  }
}

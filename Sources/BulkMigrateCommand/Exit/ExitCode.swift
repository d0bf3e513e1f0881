/// The exit code of the program.
///
/// The numbers are part of the interface: scripts branch on them. Those from 64 to 75 are the ones of BSD's
/// `sysexits.h`; those above 128 are 128 plus the number of a signal. `help exit-codes` says what each means.
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

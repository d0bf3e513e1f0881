internal import BulkPlan
import BulkExecute
import BulkMapping
import BulkModel

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
  var exitCode: ExitCode { get }
}

extension ExitCode {
  /// The code of an error; ``ExitCode/failed`` of one that has none.
  init(of error: any Error) { self = (error as? any ErrorWithExitCode)?.exitCode ?? .failed }
}

/// Why a command does not begin, or goes no further, for a reason of its own.
struct Refusal: ErrorWithExitCode, CustomStringConvertible {
  let exitCode: ExitCode
  let description: String

  init(_ exitCode: ExitCode, _ description: String) {
    (self.exitCode, self.description) = (exitCode, description)
  }
}

extension PlanError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .badStore(_, _, let isMissing): isMissing ? .noInput : .badData
    case .badModel(.unreadable): .noInput
    case .notAllowed, .badModel, .noFittingModel, .modelDoesNotFit, .notInferable, .badRows,
      .impossibleMapping,
      .cannotFuse, .missingPolicies, .noRoute, .staleMappings, .badPlan:
      .badData
    case .mapping(let error): error.exitCode
    case .cannotCopy, .missingInput, .manyCandidates, .ambiguousModel, .ambiguousVersion: .usage
    case .stale: .stalePlan
    case .missingPlan: .noInput
    }
  }
}

extension MigrationError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .stalePlan, .damagedCheckpoints, .anotherTool: .stalePlan
    case .plan(let error): error.exitCode
    case .destinationExists, .cannotCreate, .foreignFolder, .unsafeFolder, .foreignFile:
      .cannotCreate
    case .unpublished(_, _, _, let isDiskFull): isDiskFull ? .inputOutput : .cannotCreate
    case .locked: .locked
    case .fenced: .fenced
    case .limitTooSmall, .tooLarge, .tooLittleDisk, .tooLittleTime:
      .limitTooSmall
    case .diskFull, .inputOutput, .unsynchronizedName, .folderNotRemoved: .inputOutput
    case .unaccountedRows, .contradictoryStore: .verificationFailed
    case .tooMuchLost: .badData
    case .tooManyRejects: .failed
    case .damagedSource, .foreignValue, .wrongRowCount, .constraint, .invalidObjects,
      .noExpectedStore, .policy,
      .damagedState, .unusableRejects:
      .badData
    case .unfinished, .keptStoreExists: .cannotCreate
    case .otherPolicy: .usage
    case .nothingToResume, .nothingToRollBack, .notAtWork: .noInput
    case .storeInUse: .temporaryFailure
    case .cancelled: .interrupted
    }
  }
}

extension MappingError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .unreadable: .noInput
    case .invalid: .badData
    }
  }
}

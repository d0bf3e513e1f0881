internal import BulkVersions
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan

extension PlanError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .badStore(_, _, let isMissing): isMissing ? .noInput : .badData
    case .badModel(.unreadable): .noInput
    case .badModel, .noFittingModel, .modelDoesNotFit, .notInferable, .badRows, .impossibleMapping,
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
    case .limitTooSmall, .refusedMemoryLimit, .tooLarge, .tooLittleDisk, .tooLittleTime:
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
    case .nothingToResume, .nothingToRollBack, .notAtWork: .noInput
    case .storeInUse: .temporaryFailure
    case .unknownPass, .noPasses, .passNotDue, .fixedMemoryLimit: .usage
    case .stoppedAfterPass: .workLeft
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

/// An error of a migration with the commands that can be typed next.
struct AdvisedError: ErrorWithExitCode, CustomStringConvertible {
  let error: MigrationError
  let next: NextCommands

  var exitCode: ExitCode { error.exitCode }

  var description: String { error.text(next) }
}

internal import BulkPlan
internal import BulkExecute
internal import BulkMapping
public import BulkSupport

/// Why a migration cannot be planned or carried out.
///
/// The source is unchanged in every case.
public struct StoreMigrationError: Error, Hashable, Sendable {
  /// The kind of error.
  public enum Code: Hashable, Sendable {
    /// A store, model, mapping or plan is not named, does not exist, or cannot be read.
    case missingInput
    /// A store, model, mapping or plan is corrupt, or contradicts another.
    case badInput
    /// Several models, versions or mappings match.
    case ambiguousInput
    /// No route leads from the source's version to the requested one.
    case noMapping
    /// A policy is missing or failed.
    case policy
    /// A model, the mapping or the source has changed since the plan was made.
    case stalePlan
    /// A file with the destination's name exists already.
    case destinationExists
    /// A file or folder cannot be made, or does not belong to this migration.
    case cannotCreate
    /// An interrupted run of the same destination can be resumed.
    case unfinished
    /// No interrupted run was found.
    case nothingToResume
    /// The state of an interrupted run is corrupt.
    case damagedState
    /// Another process works on the same destination, or has the store open.
    case locked
    /// Another process has taken over the migration; the work of this one is discarded.
    case overtaken
    /// The memory limit, or the time, is too small.
    case limitTooSmall
    /// The disk is too small or full.
    case diskFull
    /// Reading or writing failed.
    case inputOutput
    /// More would be lost than is allowed.
    case tooMuchLost
    /// Objects violate rules of the destination's model.
    case invalidObjects
    /// Rows of the source are not accounted for.
    case unaccountedRows
  }

  /// The kind of error.
  public let code: Code
  /// The error in a sentence or a few lines, and its remedy.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension StoreMigrationError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension StoreMigrationError {
  static func translated(_ error: any Error) -> any Error {
    switch error {
    case MigrationError.cancelled: CancellationError()
    case let error as MigrationError: StoreMigrationError(error.code, error.text(.calls))
    case let error as PlanError: StoreMigrationError(error.code, error.text(.properties))
    case is StoreMigrationError, is CancellationError: error
    default: StoreMigrationError(.inputOutput, "\(error)")
    }
  }
}

extension NextCommands {
  fileprivate static var calls: NextCommands {
    var calls = NextCommands()
    calls.resume = "resume()"
    calls.run = "run()"
    calls.restart = "restart()"
    calls.rollback = "rollback()"
    calls.status = "the state directory"
    calls.names = .properties
    return calls
  }
}

extension PlanError {
  fileprivate var code: StoreMigrationError.Code {
    switch self {
    case .badStore(_, _, let isMissing): isMissing ? .missingInput : .badInput
    case .badModel(.unreadable), .mapping(.unreadable), .missingInput, .missingPlan: .missingInput
    case .cannotCopy, .notAllowed, .badModel, .mapping(.invalid), .modelDoesNotFit, .badRows,
      .impossibleMapping,
      .badPlan:
      .badInput
    case .manyCandidates, .ambiguousModel, .ambiguousVersion: .ambiguousInput
    case .noFittingModel, .notInferable, .cannotFuse, .noRoute, .staleMappings: .noMapping
    case .missingPolicies: .policy
    case .stale: .stalePlan
    }
  }
}

extension MigrationError {
  fileprivate var code: StoreMigrationError.Code {
    switch self {
    case .stalePlan, .anotherTool: .stalePlan
    case .plan(let error): error.code
    case .destinationExists, .keptStoreExists: .destinationExists
    case .cannotCreate, .foreignFolder, .unsafeFolder, .foreignFile: .cannotCreate
    case .unpublished(_, _, _, let isDiskFull): isDiskFull ? .diskFull : .cannotCreate
    case .locked, .storeInUse: .locked
    case .fenced: .overtaken
    case .limitTooSmall, .tooLarge, .tooLittleTime: .limitTooSmall
    case .tooLittleDisk, .diskFull: .diskFull
    case .inputOutput, .unsynchronizedName, .folderNotRemoved, .cancelled: .inputOutput
    case .damagedSource, .foreignValue, .wrongRowCount, .constraint: .badInput
    case .unaccountedRows, .contradictoryStore: .unaccountedRows
    case .tooMuchLost: .tooMuchLost
    case .policy: .policy
    case .invalidObjects, .noExpectedStore, .tooManyRejects: .invalidObjects
    case .unfinished: .unfinished
    case .otherPolicy: .badInput
    case .nothingToResume, .nothingToRollBack, .notAtWork: .nothingToResume
    case .damagedState, .unusableRejects, .damagedCheckpoints: .damagedState
    }
  }
}

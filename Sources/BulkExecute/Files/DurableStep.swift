/// The points at which a process may be killed: each durable step has a name, and so have the moments that tests wait
/// for.
///
/// The models under `Plans/models` have the same names.
package enum DurableStep: String, CaseIterable, Sendable {
  // MARK: Files and folders

  case folderMade = "folder-made"
  /// A file or folder that was named by its path is synced.
  case pathSynced = "path-synced"
  case copySynced = "copy-synced"
  case dataSynced = "data-synced"
  case headerWritten = "header-written"
  /// A file has another name, which nothing had.
  case nameGiven = "name-given"
  /// A store has a second name, which nothing had.
  case secondName = "second-name"
  /// An empty file has a name, which nothing had.
  case nameClaimed = "name-claimed"
  case moved
  /// A finished file has its name in an open folder, which nothing had.
  case numberTaken = "number-taken"
  case fileReplaced = "file-replaced"
  case folderSynced = "folder-synced"
  case subfolderMade = "subfolder-made"

  // MARK: An attempt

  /// The state directory has lost the mark that was cut off.
  case unmarked
  case begun
  case copied
  case segmentsSaved = "segments-saved"
  case violationsSaved = "violations-saved"
  /// All is durable to which a checkpoint refers.
  case checkpoint
  /// A checkpoint is published, whose transaction is not committed.
  case commit
  case commitSynced = "commit-synced"
  case committed

  // MARK: The end of an attempt

  case counted
  case synchronized
  /// The folder of external values has its name.
  case external
  case published
  /// The name of the destination is synced.
  case durable
  case receipt
  case tidied

  // MARK: Routes, replacement and changes in place

  case routeBegun = "route-begun"
  case leg
  case planKept = "plan-kept"
  case newStore = "new-store"
  case keptExternal = "kept-external"
  case kept
  case swapped
  case restoredExternal = "restored-external"
  case undone
  case rolledBack = "rolled-back"
  /// A store that is changed in place is open.
  case read
  /// Its change is written, and not committed.
  case altered
  case alterationCommitted = "alteration-committed"

  // MARK: Beside migrations

  case fleet
  case jobNoted = "job-noted"
  case resultNoted = "result-noted"
  case endNoted = "end-noted"
  case watched
}

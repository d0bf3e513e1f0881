/// The points at which a process may be killed: each durable step has a name, and so have the moments that tests wait
/// for.
///
/// The models under `Plans/models` have the same names.
package enum DurableStep: String, CaseIterable, Sendable {
  // MARK: Files and folders

  case folderMade = "folder-made"
  /// A file or folder that was named by its path is synced.
  case pathSynced = "path-synced"
  /// A copy of a file is written and synced.
  case copySynced = "copy-synced"
  case dataSynced = "data-synced"
  case headerWritten = "header-written"
  /// A file has another name, which nothing had.
  case nameGiven = "name-given"
  /// A store has a second name, which nothing had.
  case secondName = "second-name"
  /// An empty file has a name, which nothing had.
  case nameClaimed = "name-claimed"
  /// A folder has its final name.
  case moved
  /// A finished file has its name in an open folder, which nothing had.
  case numberTaken = "number-taken"
  /// A finished file has the name of another one.
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
  /// The store that is written is synced.
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
  /// The new store has the name of the former one.
  case swapped
  case restoredExternal = "restored-external"
  case undone
  /// The return is noted.
  case rolledBack = "rolled-back"
  /// A store that is changed in place is open.
  case read
  /// Its change is written, and not committed.
  case altered
  case alterationCommitted = "alteration-committed"

  // MARK: Beside migrations

  case fleet
  /// It has noted that an attempt at a store begins.
  case jobNoted = "job-noted"
  /// It has noted the result of one.
  case resultNoted = "result-noted"
  /// It has noted that one has ended.
  case endNoted = "end-noted"
  case watched
}

/// The places at which a process may be killed: each durable step has a name, and so have the moments that tests wait
/// for.
///
/// The models under `Plans/models` have the same names.
package enum DurableStep: String, CaseIterable, Sendable {
  // MARK: Files and folders

  /// A folder exists.
  case folderMade = "folder-made"
  /// A file or folder that was named by its path is synced.
  case pathSynced = "path-synced"
  /// A copy of a file is written and synced.
  case copySynced = "copy-synced"
  /// Bytes are written to an open file and synced.
  case dataSynced = "data-synced"
  /// The counters in the header of a database are set.
  case headerWritten = "header-written"
  /// A file has another name, which nothing had.
  case nameGiven = "name-given"
  /// A store has a second name, which nothing had.
  case secondName = "second-name"
  /// An empty file has a name, which nothing had.
  case nameClaimed = "name-claimed"
  /// A finished file takes the place of the empty one.
  case claimFilled = "claim-filled"
  /// A folder has its final name.
  case moved
  /// A finished file has its name in an open folder, which nothing had.
  case numberTaken = "number-taken"
  /// A finished file has the name of another one.
  case fileReplaced = "file-replaced"
  /// The names in an open folder are synced.
  case folderSynced = "folder-synced"
  /// A folder exists in an open one.
  case subfolderMade = "subfolder-made"

  // MARK: An attempt

  /// The state directory has lost the mark that was cut off.
  case unmarked
  /// The attempt has its number.
  case begun
  /// A copied store has its name in the state directory.
  case copied
  /// The segments of association tables are synced.
  case segmentsSaved = "segments-saved"
  /// The list of violations is synced.
  case violationsSaved = "violations-saved"
  /// All is durable to which a checkpoint refers.
  case checkpoint
  /// A checkpoint is published, whose transaction is not committed.
  case commit
  /// The store that is written is synced.
  case commitSynced = "commit-synced"
  /// A transaction is committed.
  case committed

  // MARK: The end of an attempt

  /// The counters of the store are set.
  case counted
  /// The store is synced.
  case synchronized
  /// The folder of external values has its name.
  case external
  /// The destination has its name.
  case published
  /// The name of the destination is synced.
  case durable
  /// The receipt has its name.
  case receipt
  /// Files of an attempt are removed.
  case tidied

  // MARK: Routes, replacement and changes in place

  /// A route has begun.
  case routeBegun = "route-begun"
  /// A leg of a route is done.
  case leg
  /// The plan of a migration in place is kept.
  case planKept = "plan-kept"
  /// The new store is complete.
  case newStore = "new-store"
  /// The external values of the former store are kept.
  case keptExternal = "kept-external"
  /// The former store is kept.
  case kept
  /// The new store has the name of the former one.
  case swapped
  /// The external values of the former store are back.
  case restoredExternal = "restored-external"
  /// The former store is back.
  case undone
  /// The return is noted.
  case rolledBack = "rolled-back"
  /// A store that is changed in place is open.
  case read
  /// Its change is written, and not committed.
  case altered
  /// Its change is committed.
  case alterationCommitted = "alteration-committed"

  // MARK: Beside migrations

  /// The coordinator of a fleet has begun.
  case fleet
  /// It has noted that an attempt at a store begins.
  case jobNoted = "job-noted"
  /// It has noted the result of one.
  case resultNoted = "result-noted"
  /// It has noted that one has ended.
  case endNoted = "end-noted"
  /// A watched status is shown.
  case watched
}

internal import BulkPlan
internal import BulkSupport

/// A folder of ours: marked, locked by this process and held open.
///
/// All access to its contents goes through here. A folder is ours if it has a ``StateMarker``; an existing
/// folder without one is taken only if it is empty, or shows that a power cut took its marker. In a folder of ours only files are removed whose names
/// carry its identity, or are among the few names that it always uses.
final class StateFolder {
  let directory: DurableDirectory
  let lock: StateLock
  private let marker: StateMarker
  /// Whether this process has marked it, since nothing was in it.
  let isNew: Bool
  /// Whether the mark is certainly on the disk.
  private var isMarkSynced: Bool

  /// Part of the name of every file that is made in it.
  var identity: String { marker.identity }

  /// Makes or enters a folder and locks it; `nil` if another process holds it.
  ///
  /// With `isShort` nothing in it matters before its names are synced, with a checkpoint among them. Then the
  /// mark of a folder beside the destination, which tells no more than they do, is not synced by itself.
  /// Throws ``MigrationError/foreignFolder(_:)`` or ``MigrationError/unsafeFolder(_:reason:)`` if it is not
  /// ours.
  static func enter(_ location: StateLocation, isShort: Bool = false) throws -> StateFolder? {
    var isMade = !location.isNamed
    while true {
      if try make(location) { isMade = true }
      do {
        let directory = try DurableDirectory(location.path)
        try refuseForeignContents(in: directory, location)
        let (new, isSynced) = (StateMarker(isGiven: !isMade), !isShort || !location.isUsual)
        let isNew = try mark(directory, new, at: location, isSynced: isSynced)
        guard let lock = try StateLock(directory) else { return nil }
        return try StateFolder(directory, lock, isNew: isNew, isMarkSynced: isNew && isSynced)
      } catch let error as FileError where error.code == ENOENT {
        // Its former owner has just removed it.
        continue
      } catch let error as FileError where error.code == ELOOP {
        throw MigrationError.unsafeFolder(error.path, reason: "is a symbolic link")
      }
    }
  }

  /// Throws `ENOENT` if the former owner has removed the mark.
  ///
  /// `isNew` means that this process has marked the folder.
  private init(
    _ directory: DurableDirectory,
    _ lock: StateLock,
    isNew: Bool,
    isMarkSynced: Bool
  ) throws(FileError) {
    guard let marker = StateMarker.whole(in: directory) else {
      // Its former owner was removing it while releasing the lock.
      lock.abandon()
      throw FileError(code: ENOENT, path: directory.path)
    }
    self.directory = directory
    self.lock = lock
    self.marker = marker
    self.isNew = isNew
    self.isMarkSynced = isMarkSynced
    StateMarker.removeDrafts(from: directory)
    do {
      if !isNew { try Self.keep(markOf: directory) }
    } catch {
      lock.abandon()
      throw error
    }
  }

  /// Syncs a mark that may not be on the disk: the one that wrote it may have been killed before it did.
  ///
  /// A checkpoint tells as much.
  private static func keep(markOf directory: DurableDirectory) throws(FileError) {
    let names = directory.names
    if CheckpointFiles.numbers(among: names).isEmpty, !names.contains(Receipt.name) {
      try StateMarker.synchronize(in: directory)
    }
  }

  /// Syncs the mark, before something stays that does not tell whose the folder is.
  func syncMark() throws(FileError) {
    guard !isMarkSynced else { return }
    try StateMarker.synchronize(in: directory)
    isMarkSynced = true
  }

  /// Returns whether there was none.
  private static func make(_ location: StateLocation) throws(FileError) -> Bool {
    do {
      try DurableFiles.makeDirectory(location.path)
      return true
    } catch {
      guard error.code == EEXIST else { throw error }
      return false
    }
  }

  private static func refuseForeignContents(
    in directory: DurableDirectory,
    _ location: StateLocation
  ) throws(MigrationError) {
    guard let status = directory.status, status.st_uid == geteuid() else {
      throw .unsafeFolder(location.path, reason: "belongs to another user")
    }
    // Its group or everybody may write to it.
    guard location.isNamed || status.st_mode & 0o022 == 0 else {
      throw .unsafeFolder(location.path, reason: "can be written to by other users")
    }
  }

  /// Marks a folder that is empty, and one whose marker a power cut has taken; returns whether it was empty.
  private static func mark(
    _ directory: DurableDirectory,
    _ new: StateMarker,
    at location: StateLocation,
    isSynced: Bool
  ) throws -> Bool {
    if StateMarker.isWhole(in: directory) { return false }
    // Another process may be marking it at this moment.
    guard isVacant(directory) || StateMarker.isWhole(in: directory) else {
      // A folder that was named may have anything in it.
      let isShown = !location.isNamed || FolderIdentity.ofCheckpoint(in: directory) != nil
      guard isShown, let lost = StateMarker(of: directory) else {
        throw MigrationError.foreignFolder(directory.path)
      }
      try lost.write(to: directory)
      return false
    }
    // The one that made the folder may have been killed before it synced the name.
    if new.isOfMadeFolder { try DurableFiles.synchronize(location.parent) }
    try new.write(to: directory, isSynced: isSynced)
    return true
  }

  private static func isVacant(_ directory: DurableDirectory) -> Bool {
    guard let names = try? directory.entries() else { return false }
    return names.allSatisfy { StateMarker.isName($0) || $0 == StateLock.name }
      && StateLock.isPlausible(in: directory) && StateMarker.isPlausible(in: directory)
  }

  /// Whether a folder is one of this user's that is ours, or that a process was about to remove or to mark.
  static func isLeft(_ location: StateLocation) -> Bool {
    guard let folder = try? DurableDirectory(location.path), folder.isOfThisUser else {
      return false
    }
    return StateMarker(of: folder) != nil || isVacant(folder)
  }

  /// Whether another process has taken over the folder, so that the work of this one is discarded.
  var isOvertaken: Bool {
    guard !directory.isGone else { return true }
    // A process that took over and has finished has removed its lock.
    return lock.isReplaced(in: directory) ?? directory.contains(Receipt.name)
  }

  /// Removes everything that attempts have made, except for some files.
  func removeAttemptFiles(keeping kept: Set<String> = []) {
    for name in directory.names where name.contains(identity) && !kept.contains(name) {
      directory.removeTree(name)
      Failpoint.reached(.tidied)
    }
  }

  /// Removes what an attempt has made, and what belongs to none; other attempts may be at work.
  func removeFiles(of attempt: String) {
    let ofAttempts = directory.names.filter { $0.contains("\(identity)-") }
    removeAttemptFiles(keeping: Set(ofAttempts.filter { !$0.contains(attempt) }))
  }

  func keepMark() {
    if !directory.contains(StateMarker.name) { try? marker.write(to: directory) }
  }

  private var isEmpty: Bool {
    guard let names = try? directory.entries() else { return false }
    return names.allSatisfy { StateMarker.isName($0) || $0 == StateLock.name }
  }

  /// Releases the folder, and removes it if it was made for us and nothing is left in it.
  func remove() {
    var isEmpty = isEmpty
    if isEmpty {
      // Without its marker the owner of the rest would be unknown.
      try? directory.synchronize()
      // What another attempt has created since then keeps it.
      isEmpty = StateMarker.remove(from: directory) { !self.isEmpty }
    }
    lock.remove(from: directory)
    // The call does not keep the path.
    if isEmpty, marker.isOfMadeFolder { unsafe rmdir(directory.path) }
  }

  /// Keeps a copy of a plan, from which the migration can be resumed.
  ///
  /// Throws ``MigrationError/foreignFile(_:)`` if another plan, which is not ours, has the name.
  func keep(_ plan: MigrationPlan) throws {
    let name = StateLocation.planName
    if directory.contains(name), !ownsPlan {
      let found = try? MigrationPlan(contentsOf: "\(directory.path)/\(name)")
      if found?.fingerprint == plan.fingerprint { return }
      throw MigrationError.foreignFile("\(directory.path)/\(name)")
    }
    // Two attempts that do not see each other's lock may keep it at the same time.
    let draft = "plan-\(identity)-\(SystemHost.current.identifier())"
    defer { directory.remove(draft) }
    try directory.write(planHead + plan.encoded().dropFirst(), to: draft)
    if ownsPlan { return try directory.replace(name, with: draft) }
    do {
      try directory.link(draft, as: name)
      Failpoint.step(.nameGiven)
    } catch {
      throw error.code == EEXIST
        ? MigrationError.foreignFile("\(directory.path)/\(name)") : error
    }
  }

  /// Where there was no plan, its copy holds a checkpoint, too, and has another name; returns whether it does.
  func keep(
    _ plan: MigrationPlan,
    with checkpoint: Checkpoint,
    as draft: String
  ) throws -> Bool {
    if !directory.contains(StateLocation.planName) {
      try directory.write(planHead + checkpoint.members() + plan.encoded().dropFirst(), to: draft)
      do throws(FileError) {
        let keepsName = try directory.link(draft, as: StateLocation.planName)
        Failpoint.step(.nameGiven)
        return keepsName
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
    try keep(plan)
    return false
  }

  /// A power cut may have lost the one that was there.
  func keepIfGone(_ plan: MigrationPlan) throws {
    if !directory.contains(StateLocation.planName) { try keep(plan) }
  }

  func removePlan() {
    if ownsPlan { directory.remove(StateLocation.planName) }
  }

  private var ownsPlan: Bool {
    directory.holds(StateLocation.planName, beginningWith: planHead)
  }

  /// The beginning of the copy of a plan, before the identity; other plans begin with a brace only.
  static let planBeginning = "{\n  \"stateDirectory\" : \""

  private var planHead: Data { Data("\(Self.planBeginning)\(identity)\",".utf8) }
}

internal import BulkPlan
internal import BulkPlatform

/// A folder of ours: marked, locked by this process and held open.
///
/// All access to its contents goes through here. A folder is ours if it has a ``StateMarker``; an existing
/// folder without one is taken only if it is empty, or if all that is in it is ours (``FolderContents``). In a folder of ours only files are removed whose names
/// carry its identity, or are among the few names that it always uses.
final class StateFolder {
  let directory: DurableDirectory
  let lock: StateLock
  private let marker: StateMarker
  private let parent: String
  /// Whether this process has synced the name of the folder.
  private var isNameSynced = false

  /// Part of the name of every file that is made in it.
  var identity: String { marker.identity }

  /// Makes or enters a folder and locks it.
  ///
  /// - Parameters:
  ///   - location: Its location.
  ///   - syncsMark: Whether the folder and its mark are synced before anything else is made in it; otherwise
  ///     what is in it tells whose it is after a power cut, and its name is synced by ``syncName()``.
  /// - Returns: The folder; `nil` if another process holds it.
  /// - Throws: ``MigrationError/foreignFolder(_:)``, ``MigrationError/unsafeFolder(_:reason:)``,
  ///   ``FileError``.
  static func enter(_ location: StateLocation, syncsMark: Bool = true) throws -> StateFolder? {
    var isMade = !location.isNamed
    while true {
      if try make(location) { isMade = true }
      do {
        let directory = try DurableDirectory(location.path)
        try refuseForeignContents(in: directory, location)
        let isNew = try mark(directory, location, isGiven: !isMade, isSynced: syncsMark)
        guard let lock = try StateLock(directory) else { return nil }
        let folder = try StateFolder(directory, lock, in: location.parent)
        folder.isNameSynced = isNew && syncsMark
        if !isNew, syncsMark { try folder.syncMark() }
        return folder
      } catch let error as FileError where error.code == ENOENT {
        // Its former owner has just removed it.
        continue
      } catch let error as FileError where error.code == ELOOP {
        throw MigrationError.unsafeFolder(error.path, reason: "is a symbolic link")
      }
    }
  }

  /// Takes a folder whose lock this process holds.
  ///
  /// - Parameters:
  ///   - directory: The folder.
  ///   - lock: Its lock.
  ///   - parent: The folder that it is in.
  /// - Throws: ``FileError``, with `ENOENT` if the former owner has removed the mark.
  private init(
    _ directory: DurableDirectory,
    _ lock: StateLock,
    in parent: String
  ) throws(FileError) {
    guard let marker = StateMarker(in: directory) else {
      // Its former owner was removing it while releasing the lock.
      lock.abandon()
      throw FileError(code: ENOENT, path: directory.path)
    }
    self.directory = directory
    self.lock = lock
    self.marker = marker
    self.parent = parent
    StateMarker.removeDrafts(from: directory)
  }

  /// Syncs a mark that nothing shows to be on the disk: the one that wrote it may have been killed before it did.
  private func syncMark() throws(FileError) {
    let names = directory.names
    guard CheckpointFiles.numbers(among: names).isEmpty, !names.contains(Receipt.name) else {
      return
    }
    do {
      try directory.synchronize()
    } catch {
      lock.abandon()
      throw error
    }
  }

  /// Syncs the name of the folder, unless this process has done so.
  func syncName() throws(FileError) {
    guard !isNameSynced else { return }
    if marker.isOfMadeFolder { try DurableFiles.synchronize(parent) }
    isNameSynced = true
  }

  /// Makes a folder; returns whether there was none.
  private static func make(_ location: StateLocation) throws(FileError) -> Bool {
    guard !DurableFiles.exists(location.path) else { return false }
    do {
      try DurableFiles.makeDirectory(location.path)
      return true
    } catch {
      guard error.code == EEXIST else { throw error }
      return false
    }
  }

  /// Refuses a folder whose contents another user may have put there.
  private static func refuseForeignContents(
    in directory: DurableDirectory,
    _ location: StateLocation
  ) throws(MigrationError) {
    guard directory.isOfThisUser else {
      throw .unsafeFolder(location.path, reason: "belongs to another user")
    }
    guard location.isNamed || !directory.isWritableByOthers else {
      throw .unsafeFolder(location.path, reason: "can be written to by other users")
    }
  }

  /// Marks a folder that has no marker and nothing of others; returns whether it was so.
  private static func mark(
    _ directory: DurableDirectory,
    _ location: StateLocation,
    isGiven: Bool,
    isSynced: Bool
  ) throws -> Bool {
    if StateMarker(in: directory) != nil { return false }
    let identity: String?
    switch FolderContents(of: directory) {
    case .vacant: identity = nil
    case .ours(let found): identity = found
    case .foreign:
      // Another process may be marking it at this moment.
      guard StateMarker(in: directory) == nil else { return false }
      throw MigrationError.foreignFolder(directory.path)
    }
    let new = StateMarker(isGiven: isGiven, identity: identity)
    // The one that made the folder may have been killed before it synced the name.
    if isSynced, new.isOfMadeFolder { try DurableFiles.synchronize(location.parent) }
    try new.write(to: directory, isSynced: isSynced)
    return true
  }

  /// Whether a folder is one of this user's that is ours, or that a process was about to remove or to mark.
  static func isLeft(_ location: StateLocation) -> Bool {
    guard let folder = try? DurableDirectory(location.path), folder.isOfThisUser else {
      return false
    }
    return StateMarker(in: folder) != nil || FolderContents(of: folder) != .foreign
  }

  /// Whether another process has taken over the folder, so that the work of this one is discarded.
  var isOvertaken: Bool {
    guard !directory.isGone else { return true }
    // A process that took over and has finished has removed its lock.
    return lock.isReplaced(in: directory)
      || !directory.contains(StateLock.name) && directory.contains(Receipt.name)
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

  /// Marks the folder again if another attempt has removed its mark.
  func keepMark() {
    if !directory.contains(StateMarker.name) { try? marker.write(to: directory, isSynced: true) }
  }

  /// Whether nothing is in it but what shows that it is ours.
  private var isEmpty: Bool {
    directory.names.allSatisfy { StateMarker.isName($0) || $0 == StateLock.name }
  }

  /// Releases the folder, and removes it if it was made for us and nothing is left in it.
  func remove() {
    var isEmpty = isEmpty
    if isEmpty {
      // Without its marker the owner of the rest would be unknown.
      try? directory.synchronize()
      // What another attempt has made meanwhile keeps it.
      isEmpty = StateMarker.remove(from: directory) { !self.isEmpty }
    }
    lock.remove(from: directory)
    // The call does not keep the path.
    if isEmpty, marker.isOfMadeFolder { unsafe rmdir(directory.path) }
  }

  // MARK: The plan

  /// Keeps a copy of a plan, from which the migration can be resumed.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - isSynced: Whether it is synced; otherwise a power cut may take it.
  /// - Throws: ``MigrationError/foreignFile(_:)`` if another plan, which is not ours, has the name.
  func keep(_ plan: MigrationPlan, isSynced: Bool = true) throws {
    let name = StateLocation.planName
    if directory.contains(name), !ownsPlan {
      let found = try? MigrationPlan(contentsOf: "\(directory.path)/\(name)")
      if found?.fingerprint == plan.fingerprint { return }
      throw MigrationError.foreignFile("\(directory.path)/\(name)")
    }
    // Two attempts that do not see each other's lock may keep it at the same time.
    let draft = "plan-\(identity)-\(SystemHost.current.identifier())"
    defer { directory.remove(draft) }
    try directory.write(planHead + plan.encoded().dropFirst(), to: draft, isSynced: isSynced)
    if ownsPlan { return try directory.replace(name, with: draft) }
    do {
      try directory.link(draft, as: name)
      Failpoint.step(.nameGiven)
    } catch {
      throw error.code == EEXIST
        ? MigrationError.foreignFile("\(directory.path)/\(name)") : error
    }
  }

  /// Keeps a copy of a plan if none is there: a power cut may have lost it.
  func keepIfGone(_ plan: MigrationPlan) throws {
    if !directory.contains(StateLocation.planName) { try keep(plan) }
  }

  /// Keeps a copy of a plan if none is there, or only a part of it: a power cut may have taken what was not synced.
  func keepIfCutOff(_ plan: MigrationPlan) throws {
    let path = "\(directory.path)/\(StateLocation.planName)"
    if ownsPlan, (try? MigrationPlan(contentsOf: path)) == nil { return try keep(plan) }
    try keepIfGone(plan)
  }

  /// Removes the copy of the plan.
  func removePlan() {
    if ownsPlan { directory.remove(StateLocation.planName) }
  }

  /// Whether the plan in the folder is a copy that was made here, or what a power cut left of one.
  private var ownsPlan: Bool {
    let name = StateLocation.planName
    return directory.isCutOff(name) || directory.holds(name, beginningWith: planHead)
  }

  /// The identity that the copy of a plan in a folder begins with; `nil` if there is none.
  static func identity(ofPlanIn folder: DurableDirectory) -> String? {
    guard
      let text = folder.contents(of: StateLocation.planName).map({
        String(decoding: $0, as: UTF8.self)
      }),
      text.hasPrefix(planHead)
    else { return nil }
    let identity = String(text.dropFirst(planHead.count).prefix(36))
    return UUID(uuidString: identity).map { _ in identity }
  }

  /// The beginning of the copy of a plan, before the identity; other plans begin with a brace only.
  private static let planHead = "{\n  \"stateDirectory\" : \""

  private var planHead: Data { Data("\(Self.planHead)\(identity)\",".utf8) }
}

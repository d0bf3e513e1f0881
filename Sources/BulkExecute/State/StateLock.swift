internal import BulkSupport

/// The lock of a state directory: a file that names the process holding it.
///
/// The system releases it when its owner ends, however that happens. The contents are for people, and show
/// whether the former owner has certainly ended.
final class StateLock {
  static let name = "lock"

  enum FormerOwner {
    /// None: no attempt has left anything.
    case none
    /// An owner that released it properly.
    case released(StateOwner)
    /// An owner that ended without releasing it.
    case ended(StateOwner)
    /// Unknown; the lock or its contents are gone.
    case unknown

    /// Where the lock names it.
    var process: ProcessIdentity? {
      switch self {
      case .none, .unknown: nil
      case .released(let owner), .ended(let owner): owner.identity
      }
    }
  }

  let former: FormerOwner
  /// The highest number of a checkpoint of which ``former`` tells; -1 if there was none.
  let lastNumber: Int64
  let wasFound: Bool
  private var file: OpenFile?
  private var owner: StateOwner?

  /// Takes the lock of a folder; `nil` if another process holds it, and throws `ENOENT` if the folder is gone.
  init?(_ folder: DurableDirectory) throws(FileError) {
    while true {
      let numbers = CheckpointFiles.numbers(among: folder.names)
      let isNew = !folder.contains(Self.name)
      let file = try folder.openFile(Self.name, O_RDWR | O_CREAT)
      guard try file.lock(LOCK_EX) else { return nil }
      // The former owner may have removed the file since it was opened.
      guard Self.isReplaced(file, in: folder) == false else { continue }
      self.file = file
      lastNumber = numbers.max() ?? -1
      wasFound = !isNew
      former = Self.former(file, isNew: isNew, hasState: !numbers.isEmpty)
      return
    }
  }

  /// Whether another file has the lock's name by now; `nil` if nothing has.
  func isReplaced(in folder: DurableDirectory) -> Bool? { Self.isReplaced(file, in: folder) }

  private static func isReplaced(_ file: OpenFile?, in folder: DurableDirectory) -> Bool? {
    guard let named = folder.status(of: name) else { return nil }
    guard let status = try? file?.status() else { return true }
    return status.st_ino != named.st_ino || status.st_dev != named.st_dev
  }

  /// Whether nothing in a folder has the lock's name, or a lock has it.
  static func isPlausible(in folder: DurableDirectory) -> Bool {
    guard folder.contains(name) else { return true }
    guard let data = folder.contents(of: name) else { return false }
    // A kill may have cut off the owner, and a power cut may have left zeros in its place.
    return data.allSatisfy { $0 == 0 } || data == unknownOwner || data.starts(with: ownerBeginning)
  }

  private static let unknownOwner = Data("unknown\n".utf8)
  /// The beginning of an owner in JSON, whose keys are sorted.
  private static let ownerBeginning = Data(#"{"boot":""#.utf8)

  private static func former(_ file: OpenFile, isNew: Bool, hasState: Bool) -> FormerOwner {
    guard hasState else { return .none }
    if isNew {
      // If this process ends before it has copied the files, the next one must not mistake this for a lock
      // that was released properly.
      try? file.write(unknownOwner, at: 0)
      return .unknown
    }
    guard let owner = Self.owner(Data((try? file.rest()) ?? [])) else { return .unknown }
    return owner.hasReleased ? .released(owner) : .ended(owner)
  }

  /// `nil` if the lock does not name it.
  static func owner(in folder: String) -> StateOwner? {
    (try? DurableDirectory(folder))?.contents(of: name).flatMap(owner)
  }

  static func isHeld(in folder: DurableDirectory) -> Bool {
    guard let file = try? folder.openFile(name) else { return false }
    return (try? file.lock(LOCK_SH)) != true
  }

  private static func owner(_ data: Data) -> StateOwner? {
    try? JSONDecoder().decode(StateOwner.self, from: data)
  }

  /// Unless it is synced, a power cut may take the owner.
  func record(_ owner: StateOwner, isSynced: Bool = true) throws(FileError) {
    self.owner = owner
    let data = Self.data(owner)
    guard let file else { return }
    try DurableFiles.write(data, to: file, isSynced: isSynced)
    try file.truncate(to: data.count)
  }

  /// Gives the lock's name to another file, which this process holds, from a draft.
  ///
  /// A former owner that is still at work writes to a file that no longer matters, and finds that it is
  /// overtaken.
  func renew(_ folder: DurableDirectory, by draft: String, for owner: StateOwner) throws(FileError)
  {
    let file = try folder.openFile(draft, O_RDWR | O_CREAT | O_EXCL)
    guard try file.lock(LOCK_EX) else { throw FileError(code: EWOULDBLOCK, path: file.path) }
    try DurableFiles.write(Self.data(owner), to: file)
    try folder.replace(Self.name, with: draft)
    (self.file, self.owner) = (file, owner)
  }

  private static func data(_ owner: StateOwner) -> Data {
    Data(((try? StableJSON.line(owner)) ?? "").utf8)
  }

  func release() {
    if var owner {
      owner.hasReleased = true
      try? record(owner)
    }
    file = nil
  }

  /// Releases the lock and leaves its contents.
  func abandon() { file = nil }

  func remove(from folder: DurableDirectory) {
    folder.remove(Self.name)
    file = nil
  }
}

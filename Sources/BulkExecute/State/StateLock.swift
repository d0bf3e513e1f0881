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
  private var descriptor: Int32
  private let path: String
  private var owner: StateOwner?

  /// Takes the lock of a folder; `nil` if another process holds it, and throws `ENOENT` if the folder is gone.
  init?(_ folder: DurableDirectory) throws(FileError) {
    path = "\(folder.path)/\(Self.name)"
    while true {
      let numbers = CheckpointFiles.numbers(among: folder.names)
      let isNew = !folder.contains(Self.name)
      let file = try folder.openFile(Self.name, O_RDWR | O_CREAT)
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let isHeld = errno == EWOULDBLOCK
        let error = FileError.last(path)
        close(file)
        if isHeld { return nil }
        throw error
      }
      // The former owner may have removed the file since it was opened.
      guard Self.isFile(file, in: folder) else {
        close(file)
        continue
      }
      descriptor = file
      lastNumber = numbers.max() ?? -1
      wasFound = !isNew
      former = Self.former(file, isNew: isNew, hasState: !numbers.isEmpty)
      return
    }
  }

  private static func isFile(_ file: Int32, in folder: DurableDirectory) -> Bool {
    var status = stat()
    // The calls fill a status and write within the count of the bytes, and keep neither.
    guard let named = folder.status(of: name), unsafe fstat(file, &status) == 0 else {
      return false
    }
    return isSame(status, named)
  }

  private static func isSame(_ file: stat, _ other: stat) -> Bool {
    file.st_ino == other.st_ino && file.st_dev == other.st_dev
  }

  /// Whether another file has the lock's name by now; `nil` if nothing has.
  func isReplaced(in folder: DurableDirectory) -> Bool? {
    guard let named = folder.status(of: Self.name) else { return nil }
    var status = stat()
    // The call fills the status and does not keep it.
    return unsafe fstat(descriptor, &status) != 0 || !Self.isSame(status, named)
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

  private static func former(_ file: Int32, isNew: Bool, hasState: Bool) -> FormerOwner {
    guard hasState else { return .none }
    if isNew {
      // If this process ends before it has copied the files, the next one must not mistake this for a lock
      // that was released properly.
      _ = unsafe unknownOwner.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
      return .unknown
    }
    guard let owner = Self.owner(Data(FileReading.rest(of: file) ?? [])) else { return .unknown }
    return owner.hasReleased ? .released(owner) : .ended(owner)
  }

  /// `nil` if the lock does not name it.
  static func owner(in folder: String) -> StateOwner? {
    (try? DurableDirectory(folder))?.contents(of: name).flatMap(owner)
  }

  static func isHeld(in folder: DurableDirectory) -> Bool {
    guard let file = try? folder.openFile(name, O_RDONLY) else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0
  }

  private static func owner(_ data: Data) -> StateOwner? {
    try? JSONDecoder().decode(StateOwner.self, from: data)
  }

  /// Unless it is synced, a power cut may take the owner.
  func record(_ owner: StateOwner, isSynced: Bool = true) throws(FileError) {
    self.owner = owner
    let data = Self.data(owner)
    try DurableFiles.write(data, to: descriptor, named: path, isSynced: isSynced)
    guard ftruncate(descriptor, off_t(data.count)) == 0 else { throw .last(path) }
  }

  /// Gives the lock's name to another file, which this process holds, from a draft.
  ///
  /// A former owner that is still at work writes to a file that no longer matters, and finds that it is
  /// overtaken.
  func renew(_ folder: DurableDirectory, by draft: String, for owner: StateOwner) throws(FileError)
  {
    let file = try folder.openFile(draft, O_RDWR | O_CREAT | O_EXCL)
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let error = FileError.last("\(folder.path)/\(draft)")
      close(file)
      throw error
    }
    do {
      try DurableFiles.write(Self.data(owner), to: file, named: "\(folder.path)/\(draft)")
      try folder.replace(Self.name, with: draft)
    } catch {
      close(file)
      throw error
    }
    close(descriptor)
    (descriptor, self.owner) = (file, owner)
  }

  private static func data(_ owner: StateOwner) -> Data {
    Data(((try? StableJSON.line(owner)) ?? "").utf8)
  }

  func release() {
    if var owner {
      owner.hasReleased = true
      try? record(owner)
    }
    close(descriptor)
  }

  /// Releases the lock and leaves its contents.
  func abandon() { close(descriptor) }

  func remove(from folder: DurableDirectory) {
    folder.remove(Self.name)
    close(descriptor)
  }
}

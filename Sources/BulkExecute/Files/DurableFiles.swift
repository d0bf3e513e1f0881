internal import BulkSupport
internal import BulkSQLite

/// The system calls that make files durable and give them their names.
///
/// Each of them ends in ``Failpoint/step(_:)``, so a debug build can be made to die after any of them.
// Its calls are `unsafe`: they read paths, fill statuses, and read and write within the bounds of a buffer,
// by pointer, and keep no pointer.
enum DurableFiles {
  /// For its owner alone.
  static func makeDirectory(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o700) == 0 else { throw .last(path) }
    Failpoint.step(.folderMade)
  }

  static func synchronize(_ path: String) throws(FileError) {
    do throws(FileError) {
      // Without O_NONBLOCK opening a named pipe would wait.
      try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).sync()
    } catch {
      // A link is synced as part of its folder.
      if error.code == ELOOP { return }
      throw error
    }
    Failpoint.step(.pathSynced)
  }

  /// Copies a file to a name that nothing has, and syncs it.
  static func copy(_ path: String, to name: String) throws(FileError) {
    let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
    try copy(file, to: OpenFile(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
  }

  /// Copies the bytes of a file to an empty one, and then its mode.
  static func copy(
    _ file: OpenFile,
    to copy: OpenFile,
    isSynced: Bool = true,
    isStopped: () -> Bool = { false }
  ) throws(FileError) {
    let mode = FilePermissions(try file.status()).ofCopy
    try FileCopying.copy(file, to: copy, isStopped: isStopped)
    guard fchmod(copy.descriptor, mode) == 0 || errno == EPERM else { throw .last(copy.path) }
    if isSynced { try copy.sync() }
    Failpoint.step(.copySynced)
  }

  static func haveSameContents(_ first: String, _ second: String) -> Bool {
    guard
      let size = try? size(of: first), size == (try? Self.size(of: second)),
      let one = try? OpenFile(reading: first), let other = try? OpenFile(reading: second)
    else { return false }
    while let bytes = try? one.read(1 << 20), bytes == (try? other.read(1 << 20)) {
      if bytes.isEmpty { return true }
    }
    return false
  }

  /// Writes a file from its beginning on, or to its end where it was opened to add to it.
  static func write(
    _ data: Data,
    to file: OpenFile,
    isSynced: Bool = true
  ) throws(FileError) {
    try file.write(data, at: 0)
    guard isSynced else { return }
    try file.sync()
    Failpoint.step(.dataSynced)
  }

  /// Sets the transaction counters in the header of a database that nobody has open, and the numbers of its application.
  ///
  /// The file change counter and the version-valid-for number depend on interruptions; the user version was
  /// the number of the last transaction (The SQLite Database File Format, 1.3.7, 1.3.12, 1.3.14 and 1.3.15).
  static func setHeader(
    of path: String,
    _ numbers: (userVersion: Int32, applicationID: Int32)
  ) throws(FileError) {
    let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW)
    let fields: [(Int, Int32)] = [
      (24, 1), (60, numbers.userVersion), (68, numbers.applicationID), (92, 1),
    ]
    for (offset, value) in fields {
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      try file.write(bytes, at: offset)
    }
    Failpoint.step(.headerWritten)
  }

  /// Gives a finished file its name; throws `EEXIST` if something has it.
  static func publish(_ path: String, as name: String) throws(FileError) {
    try give(name, to: path, in: AT_FDCWD, name)
    Failpoint.step(.nameGiven)
  }

  /// Gives a file a name that nothing has, both of them in an open folder, or paths; throws `EEXIST` if something has it.
  ///
  /// Returns whether it keeps its own name, too; not on a file system without hard links.
  @discardableResult
  static func give(
    _ name: String,
    to draft: String,
    in folder: Int32,
    _ path: String
  ) throws(FileError) -> Bool {
    if unsafe linkat(folder, draft, folder, name, 0) == 0 { return true }
    guard meansNoHardLinks(errno) else { throw .last(path) }
    if let code = ExclusiveRename.rename(draft, to: name, in: folder) {
      guard code == 0 else { throw FileError(code: code, path: path) }
      return false
    }
    // A file system with neither: the name is claimed by an empty file, which is then replaced.
    _ = try OpenFile(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, in: folder, path: path)
    Failpoint.step(.nameClaimed)
    guard unsafe renameat(folder, draft, folder, name) == 0 else { throw .last(path) }
    return false
  }

  /// Gives a file a second name, or copies it to another file system or on one without hard links.
  ///
  /// Throws `EEXIST` if something has the name. `identity` is part of the name of a draft, by which nothing
  /// else is mistaken for it.
  static func publish(
    copying path: String,
    as name: String,
    _ identity: String
  ) throws(FileError) {
    if unsafe link(path, name) == 0 {
      Failpoint.step(.secondName)
      return
    }
    guard errno == EXDEV || meansNoHardLinks(errno) else { throw .last(name) }
    let draft = "\(name).bulkmigrate-\(identity)"
    unsafe unlink(draft)
    defer { unsafe unlink(draft) }
    try copy(path, to: draft)
    try publish(draft, as: name)
  }

  static func meansNoHardLinks(_ code: Int32) -> Bool {
    [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code)
  }

  /// Renames a folder to a name that nothing has.
  static func move(_ path: String, to name: String) throws(FileError) {
    guard unsafe rename(path, name) == 0 else { throw .last(name) }
    Failpoint.step(.moved)
  }

  /// Whether something has a name, a dangling link included.
  static func exists(_ path: String) -> Bool { (try? status(of: path)) != nil }

  static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let one = try? status(of: first), let other = try? status(of: second) else {
      return false
    }
    return one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }

  /// In bytes.
  static func size(of path: String) throws(FileError) -> Int64 {
    Int64(try status(of: path).st_size)
  }

  /// The modification time of a file, to the nanosecond, and its size.
  static func moment(of path: String) throws(FileError) -> [Int64] {
    let status = try status(of: path)
    let time = status.modified
    return [Int64(time.tv_sec), Int64(time.tv_nsec), Int64(status.st_size)]
  }

  /// Does not follow a link.
  static func status(of path: String) throws(FileError) -> stat {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw .last(path) }
    return status
  }
}

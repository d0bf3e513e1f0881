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
    // Without O_NONBLOCK opening a named pipe would wait; a link is synced as part of its folder.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ELOOP { return }
      throw .last(path)
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last(path) }
    Failpoint.step(.pathSynced)
  }

  /// Copies a file, or what a link leads to, to a name that nothing has in a folder.
  static func copy(
    _ path: String,
    to name: String,
    in folder: DurableDirectory,
    isSynced: Bool,
    isStopped: () -> Bool
  ) throws(FileError) {
    guard let file = FileReading.open(path) else { throw .last(path) }
    defer { close(file) }
    let copy = try folder.openFile(name, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(copy) }
    try Self.copy(
      (file, path),
      to: (copy, "\(folder.path)/\(name)"),
      isSynced: isSynced,
      isStopped
    )
  }

  /// Copies a file to a name that nothing has, and syncs it.
  static func copy(_ path: String, to name: String) throws(FileError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .last(path) }
    defer { close(file) }
    let copy = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw .last(name) }
    defer { close(copy) }
    try Self.copy((file, path), to: (copy, name), isSynced: true) { false }
  }

  /// Copies the bytes of an open file and then its mode.
  private static func copy(
    _ file: (number: Int32, path: String),
    to copy: (number: Int32, path: String),
    isSynced: Bool,
    _ isStopped: () -> Bool
  ) throws(FileError) {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { throw .last(file.path) }
    let code = FileCopying.copy(file.number, to: copy.number, isStopped: isStopped)
    guard code == 0 else { throw FileError(code: code, path: copy.path) }
    guard fchmod(copy.number, FilePermissions(status).ofCopy) == 0 || errno == EPERM else {
      throw .last(copy.path)
    }
    if isSynced, fsync(copy.number) != 0 { throw .last(copy.path) }
    Failpoint.step(.copySynced)
  }

  static func haveSameContents(_ first: String, _ second: String) -> Bool {
    guard
      let size = try? size(of: first), size == (try? Self.size(of: second)),
      let one = FileReading.open(first)
    else { return false }
    defer { close(one) }
    guard let other = FileReading.open(second) else { return false }
    defer { close(other) }
    while let bytes = FileReading.bytes(of: one, upTo: 1 << 20) {
      guard bytes == FileReading.bytes(of: other, upTo: 1 << 20) else { return false }
      if bytes.isEmpty { return true }
    }
    return false
  }

  static func write(
    _ data: Data,
    to descriptor: Int32,
    named path: String,
    isSynced: Bool = true
  ) throws(FileError) {
    try write(data, at: 0, to: descriptor, path)
    guard isSynced else { return }
    guard fsync(descriptor) == 0 else { throw .last(path) }
    Failpoint.step(.dataSynced)
  }

  /// Writes bytes from an offset on; the system may take them in parts.
  static func write(
    _ data: Data,
    at offset: off_t,
    to descriptor: Int32,
    _ path: String
  ) throws(FileError) {
    var done = 0
    while done < data.count {
      let count = unsafe data.dropFirst(done).withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset + off_t(done))
      }
      if count > 0 {
        done += count
      } else if count == 0 {
        throw FileError(code: ENOSPC, path: path)
      } else if errno != EINTR {
        throw .last(path)
      }
    }
  }

  /// Sets the transaction counters in the header of a database that nobody has open, and the numbers of its application.
  ///
  /// The file change counter and the version-valid-for number depend on interruptions; the user version was
  /// the number of the last transaction (The SQLite Database File Format, 1.3.7, 1.3.12, 1.3.14 and 1.3.15).
  static func setHeader(
    of path: String,
    _ numbers: (userVersion: Int32, applicationID: Int32)
  ) throws(FileError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .last(path) }
    defer { close(descriptor) }
    let fields: [(off_t, Int32)] = [
      (24, 1), (60, numbers.userVersion), (68, numbers.applicationID), (92, 1),
    ]
    for (offset, value) in fields {
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      try write(Data(bytes), at: offset, to: descriptor, path)
    }
    Failpoint.step(.headerWritten)
  }

  /// Gives a finished file its name; throws `EEXIST` if something has it.
  static func publish(_ path: String, as name: String) throws(FileError) {
    if unsafe link(path, name) == 0 {
      Failpoint.step(.nameGiven)
      return
    }
    guard meansNoHardLinks(errno) else { throw .last(name) }
    if let code = ExclusiveRename.rename(path, to: name) {
      guard code == 0 else { throw FileError(code: code, path: name) }
      Failpoint.step(.nameGiven)
      return
    }
    // A file system with neither: the name is claimed by an empty file, which is then replaced.
    let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last(name) }
    close(descriptor)
    Failpoint.step(.nameClaimed)
    guard unsafe rename(path, name) == 0 else { throw .last(name) }
    Failpoint.step(.claimFilled)
  }

  /// Gives a file a second name, or copies it on a file system without hard links.
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
    guard meansNoHardLinks(errno) else { throw .last(name) }
    let draft = "\(name).bulkmigrate-\(identity)"
    unsafe unlink(draft)
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

internal import BulkSupport
internal import BulkSQLite

/// A folder that is held open: it stays the same folder even if its name changes.
///
/// A process that another has overtaken may find another folder under the name, or none. All its
/// work here is in the folder that it opened. No link in the folder is ever followed.
// Its calls are `unsafe`: they read names and fill statuses by pointer, and keep no pointer. The stream of
// a folder is closed where it was opened.
final class DurableDirectory: Sendable {
  enum Kind {
    case file
    case folder
    case link
    /// A named pipe, a socket or a device.
    case other
  }

  let path: String
  private let descriptor: Int32

  /// Throws ``FileError`` with `ELOOP` if the name is a link that may not be followed.
  init(_ path: String, followsLink: Bool = false) throws(FileError) {
    self.path = path
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    descriptor = unsafe open(path, flags)
    guard descriptor >= 0 else { throw Self.failure(path, AT_FDCWD, path) }
  }

  func folder(_ name: String) throws(FileError) -> DurableDirectory {
    try DurableDirectory(name, in: self)
  }

  private init(_ name: String, in folder: DurableDirectory) throws(FileError) {
    path = "\(folder.path)/\(name)"
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    descriptor = unsafe openat(folder.descriptor, name, flags)
    guard descriptor >= 0 else { throw Self.failure(path, folder.descriptor, name) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var isGone: Bool { (status?.st_nlink ?? 0) == 0 }
  var isOfThisUser: Bool { status?.st_uid == geteuid() }

  var status: stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  /// The names in the folder, in no order; empty if it cannot be read.
  var names: [String] { (try? entries()) ?? [] }

  /// In no order.
  func entries() throws(FileError) -> [String] {
    // The stream closes its descriptor, so it gets a second one; both have one position.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .last(path) }
    guard let stream = unsafe fdopendir(copy) else {
      let error = FileError.last(path)
      close(copy)
      throw error
    }
    defer { unsafe closedir(stream) }
    unsafe rewinddir(stream)
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .last(path) }
    return names
  }

  /// `nil` if nothing has the name.
  func status(of name: String) -> stat? {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  func contains(_ name: String) -> Bool { status(of: name) != nil }

  /// `nil` if nothing has the name.
  func kind(of name: String) -> Kind? { status(of: name).map(Self.kind) }

  private static func kind(_ status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  /// Throws ``FileError`` with `ELOOP` for a link and `EINVAL` for what is not a regular file.
  func openFile(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) -> Int32 {
    // Without O_NONBLOCK opening a named pipe would wait; it has no effect on a file.
    let file = unsafe openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
    guard file >= 0 else { throw Self.failure("\(path)/\(name)", descriptor, name) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, Self.kind(status) == .file else {
      close(file)
      throw FileError(code: EINVAL, path: "\(path)/\(name)")
    }
    return file
  }

  /// `nil` if the file cannot be read.
  func contents(of name: String) -> Data? {
    guard let file = try? openFile(name, O_RDONLY) else { return nil }
    defer { close(file) }
    return FileReading.rest(of: file).map { Data($0) }
  }

  func holds(_ name: String, beginningWith bytes: Data) -> Bool {
    head(of: name, upTo: bytes.count) == bytes
  }

  /// The first bytes of a file, fewer than `count` only if it has no more; `nil` if it cannot be read.
  func head(of name: String, upTo count: Int) -> Data? {
    guard let file = try? openFile(name, O_RDONLY) else { return nil }
    defer { close(file) }
    return FileReading.bytes(of: file, upTo: count).map { Data($0) }
  }

  /// Makes an empty file, unless something has the name.
  func makeFile(_ name: String) throws(FileError) {
    do {
      close(try openFile(name, O_WRONLY | O_CREAT | O_EXCL))
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }

  /// A file that had the name is removed, not overwritten.
  func write(_ data: Data, to name: String, isSynced: Bool = true) throws(FileError) {
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .last("\(path)/\(name)")
    }
    let file = try openFile(name, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(file) }
    try DurableFiles.write(data, to: file, named: "\(path)/\(name)", isSynced: isSynced)
  }

  /// Adds bytes to a file, or makes it with them, and syncs it.
  func append(_ data: Data, to name: String, isNew: Bool) throws(FileError) {
    let file = try openFile(name, O_WRONLY | O_APPEND | (isNew ? O_CREAT | O_EXCL : 0))
    defer { close(file) }
    try DurableFiles.write(data, to: file, named: "\(path)/\(name)")
  }

  /// Publishes a finished file under a name that nothing in the folder has, and syncs the folder.
  ///
  /// - Throws: ``FileError`` with `EEXIST` if something has it, with `ENOENT` if the folder is gone.
  func publish(_ draft: String, as name: String) throws(FileError) {
    try link(draft, as: name)
    Failpoint.step(.numberTaken)
    remove(draft)
    do throws(FileError) {
      try synchronize()
    } catch {
      // If it stayed, it would look like that of another attempt.
      remove(name)
      throw error
    }
  }

  /// Gives a finished file a name that nothing has, or throws `EEXIST`.
  ///
  /// Returns whether it keeps its own name too; not on a file system without hard links.
  @discardableResult
  func link(_ draft: String, as name: String) throws(FileError) -> Bool {
    if unsafe linkat(descriptor, draft, descriptor, name, 0) == 0 { return true }
    guard DurableFiles.meansNoHardLinks(errno) else { throw .last("\(path)/\(name)") }
    if let code = ExclusiveRename.rename(draft, to: name, in: descriptor) {
      guard code == 0 else { throw FileError(code: code, path: "\(path)/\(name)") }
      return false
    }
    // A file system with neither: the name is claimed by an empty file, which is then replaced.
    close(try openFile(name, O_WRONLY | O_CREAT | O_EXCL))
    guard unsafe renameat(descriptor, draft, descriptor, name) == 0 else {
      throw .last("\(path)/\(name)")
    }
    return false
  }

  func replace(_ name: String, with draft: String) throws(FileError) {
    try rename(draft, to: name)
    Failpoint.step(.fileReplaced)
  }

  /// One that had the name is replaced.
  func rename(_ name: String, to other: String) throws(FileError) {
    try move(name, to: other, in: self)
  }

  /// One that had the name there is replaced.
  func move(_ name: String, to other: String, in folder: DurableDirectory) throws(FileError) {
    guard unsafe renameat(descriptor, name, folder.descriptor, other) == 0 else {
      throw .last("\(folder.path)/\(other)")
    }
  }

  /// Syncs the names in the folder to the disk.
  func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .last(path) }
    Failpoint.step(.folderSynced)
  }

  /// Syncs all that the disk of the folder has to write.
  func synchronizeAll() throws(FileError) {
    let code = FileCopying.synchronizeAll(except: descriptor)
    guard code == 0 else { throw FileError(code: code, path: path) }
    Failpoint.step(.folderSynced)
  }

  func synchronize(file name: String) throws(FileError) {
    let file = try openFile(name, O_RDONLY)
    defer { close(file) }
    guard fsync(file) == 0 else { throw .last("\(path)/\(name)") }
    Failpoint.step(.dataSynced)
  }

  /// Makes a folder in this one, for its owner alone.
  func makeFolder(_ name: String) throws(FileError) -> DurableDirectory {
    guard unsafe mkdirat(descriptor, name, 0o700) == 0 else { throw .last("\(path)/\(name)") }
    Failpoint.step(.subfolderMade)
    return try folder(name)
  }

  /// Gives a file of any folder a name here that nothing has; `false` where the file system cannot.
  func addName(_ name: String, of path: String) throws(FileError) -> Bool {
    if unsafe linkat(AT_FDCWD, path, descriptor, name, 0) == 0 {
      Failpoint.step(.secondName)
      return true
    }
    guard errno == EXDEV || DurableFiles.meansNoHardLinks(errno) else {
      throw .last("\(path)/\(name)")
    }
    return false
  }

  func setMode(_ mode: mode_t) throws(FileError) {
    guard fchmod(descriptor, mode) == 0 || errno == EPERM else { throw .last(path) }
  }

  func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

  /// Removes a file, or as much as possible of a folder and its contents.
  func removeTree(_ name: String) {
    guard kind(of: name) == .folder else { return remove(name) }
    if let folder = try? folder(name) { folder.names.forEach(folder.removeTree) }
    removeFolder(name)
  }

  func removeFolder(_ name: String) { unsafe unlinkat(descriptor, name, AT_REMOVEDIR) }

  /// Why a name could not be opened; the systems report links differently.
  private static func failure(_ path: String, _ folder: Int32, _ name: String) -> FileError {
    let error = FileError.last(path)
    guard error.code == ENOTDIR else { return error }
    var status = stat()
    let isLink =
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
    return isLink ? FileError(code: ELOOP, path: path) : error
  }
}

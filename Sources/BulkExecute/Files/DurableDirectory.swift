internal import BulkSupport
internal import BulkSQLite

/// A folder that is held open: it stays the same folder even if its name changes.
///
/// A process that another has overtaken may find another folder under the name, or none. All its
/// work here is in the folder that it opened. No link in the folder is ever followed.
// Its calls are `unsafe`: they read names and fill statuses by pointer, and keep no pointer. The stream of
// a folder is closed where it was opened.
final class DurableDirectory: Sendable {
  private let file: OpenFile
  var path: String { file.path }

  /// Throws ``FileError`` with `ELOOP` if the name is a link that may not be followed.
  convenience init(_ path: String, followsLink: Bool = false) throws(FileError) {
    try self.init(path, in: AT_FDCWD, path, followsLink: followsLink)
  }

  func folder(_ name: String) throws(FileError) -> DurableDirectory {
    try DurableDirectory(name, in: file.descriptor, path(name))
  }

  private init(
    _ name: String,
    in folder: Int32,
    _ path: String,
    followsLink: Bool = false
  ) throws(FileError) {
    let flags = O_RDONLY | O_DIRECTORY | (followsLink ? 0 : O_NOFOLLOW)
    do throws(FileError) {
      file = try OpenFile(name, flags, in: folder, path: path)
    } catch {
      // The systems report links differently.
      let isLink = error.code == ENOTDIR && Self.status(of: name, in: folder)?.kind == S_IFLNK
      throw isLink ? FileError(code: ELOOP, path: path) : error
    }
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  var isGone: Bool { (status?.st_nlink ?? 0) == 0 }
  var isOfThisUser: Bool { status?.st_uid == geteuid() }
  var status: stat? { try? file.status() }

  /// The names in the folder, in no order; empty if it cannot be read.
  var names: [String] { (try? entries()) ?? [] }

  /// In no order.
  func entries() throws(FileError) -> [String] {
    // The stream closes its descriptor, so it gets a second one; both have one position.
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
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
  func status(of name: String) -> stat? { Self.status(of: name, in: file.descriptor) }

  private static func status(of name: String, in folder: Int32) -> stat? {
    var status = stat()
    return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  func contains(_ name: String) -> Bool { status(of: name) != nil }

  /// Throws ``FileError`` with `ELOOP` for a link and `EINVAL` for what is not a regular file.
  func openFile(
    _ name: String,
    _ flags: Int32 = O_RDONLY,
    mode: mode_t = 0o600
  ) throws(FileError) -> OpenFile {
    // Without O_NONBLOCK opening a named pipe would wait; it has no effect on a file.
    let flags = flags | O_NOFOLLOW | O_NONBLOCK
    let found = try OpenFile(name, flags, mode: mode, in: file.descriptor, path: path(name))
    guard try found.status().kind == S_IFREG else {
      throw FileError(code: EINVAL, path: found.path)
    }
    return found
  }

  /// `nil` if the file cannot be read.
  func contents(of name: String) -> Data? { (try? openFile(name).rest()).map { Data($0) } }

  func holds(_ name: String, beginningWith bytes: Data) -> Bool {
    head(of: name, upTo: bytes.count) == bytes
  }

  /// The first bytes of a file, fewer than `count` only if it has no more; `nil` if it cannot be read.
  func head(of name: String, upTo count: Int) -> Data? {
    (try? openFile(name).read(count)).map { Data($0) }
  }

  /// Makes a file that nothing has the name of.
  func newFile(_ name: String, mode: mode_t = 0o600) throws(FileError) -> OpenFile {
    try openFile(name, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
  }

  /// Makes an empty file, unless something has the name.
  func makeFile(_ name: String) throws(FileError) {
    do {
      _ = try newFile(name)
    } catch {
      guard error.isTaken else { throw error }
    }
  }

  /// A file that had the name is removed, not overwritten.
  func write(_ data: Data, to name: String, isSynced: Bool = true) throws(FileError) {
    guard unsafe unlinkat(file.descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .last(path(name))
    }
    try DurableFiles.write(data, to: newFile(name), isSynced: isSynced)
  }

  /// Adds bytes to a file, or makes it with them, and syncs it.
  func append(_ data: Data, to name: String, isNew: Bool) throws(FileError) {
    let flags = O_WRONLY | O_APPEND | (isNew ? O_CREAT | O_EXCL : 0)
    try DurableFiles.write(data, to: openFile(name, flags))
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
    try DurableFiles.give(name, to: draft, in: file.descriptor, path(name))
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
    guard unsafe renameat(file.descriptor, name, folder.file.descriptor, other) == 0 else {
      throw .last(folder.path(other))
    }
  }

  /// Syncs the names in the folder to the disk.
  func synchronize() throws(FileError) {
    try file.sync()
    Failpoint.step(.folderSynced)
  }

  /// Syncs all that the disk of the folder has to write.
  func synchronizeAll() throws(FileError) {
    let code = FileCopying.synchronizeAll(except: file.descriptor)
    guard code == 0 else { throw FileError(code: code, path: path) }
    Failpoint.step(.folderSynced)
  }

  func synchronize(file name: String) throws(FileError) {
    try openFile(name).sync()
    Failpoint.step(.dataSynced)
  }

  /// Makes a folder in this one, for its owner alone.
  func makeFolder(_ name: String) throws(FileError) -> DurableDirectory {
    guard unsafe mkdirat(file.descriptor, name, 0o700) == 0 else { throw .last(path(name)) }
    Failpoint.step(.subfolderMade)
    return try folder(name)
  }

  /// Gives a file of any folder a name here that nothing has; `false` where the file system cannot.
  func addName(_ name: String, of path: String) throws(FileError) -> Bool {
    if unsafe linkat(AT_FDCWD, path, file.descriptor, name, 0) == 0 {
      Failpoint.step(.secondName)
      return true
    }
    guard errno == EXDEV || DurableFiles.meansNoHardLinks(errno) else {
      throw .last(self.path(name))
    }
    return false
  }

  func setMode(_ mode: mode_t) throws(FileError) {
    guard fchmod(file.descriptor, mode) == 0 || errno == EPERM else { throw .last(path) }
  }

  func remove(_ name: String) { unsafe unlinkat(file.descriptor, name, 0) }

  /// Removes a file, or as much as possible of a folder and its contents.
  func removeTree(_ name: String) {
    guard status(of: name)?.kind == S_IFDIR else { return remove(name) }
    if let folder = try? folder(name) { folder.names.forEach(folder.removeTree) }
    removeFolder(name)
  }

  func removeFolder(_ name: String) { unsafe unlinkat(file.descriptor, name, AT_REMOVEDIR) }
}

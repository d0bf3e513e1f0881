internal import BulkPlatform
internal import Foundation

/// A folder that is held open: it stays the same folder, whatever becomes of its name.
///
/// A process that was overtaken may find another folder under the name, or none. What it does here it
/// does in the folder that it began in. No link in the folder is ever followed.
// Its calls are `unsafe`: they read names and fill statuses by their places, and keep none. The stream of a
// folder is closed where it was opened.
final class DurableDirectory {
  /// What there is under a name.
  enum Kind {
    case file
    case folder
    case link
    /// A named pipe, a socket or a device.
    case other
  }

  /// The name under which the folder was opened.
  let path: String
  private let descriptor: Int32

  /// Opens a folder.
  ///
  /// - Throws: ``FileError``, with `ELOOP` if there is a link under the name, unless it may be followed.
  init(_ path: String, followsLink: Bool = false) throws(FileError) {
    self.path = path
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    descriptor = unsafe open(path, flags)
    guard descriptor >= 0 else { throw Self.failure(path, AT_FDCWD, path) }
  }

  /// Opens a folder in this one.
  func folder(_ name: String) throws(FileError) -> DurableDirectory {
    try DurableDirectory(name, in: self)
  }

  private init(_ name: String, in folder: DurableDirectory) throws(FileError) {
    path = "\(folder.path)/\(name)"
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    descriptor = unsafe openat(folder.descriptor, name, flags)
    guard descriptor >= 0 else { throw Self.failure(path, folder.descriptor, name) }
  }

  deinit { close(descriptor) }

  /// Whether the folder has been removed.
  var isGone: Bool { (status?.st_nlink ?? 0) == 0 }

  /// Whether it belongs to the user as whom this process works.
  var isOfThisUser: Bool { status?.st_uid == geteuid() }

  /// Whether its group, or everybody, may write to it.
  var isWritableByOthers: Bool { (status?.st_mode ?? 0) & 0o022 != 0 }

  /// What the system says of the folder itself.
  var status: stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  /// The names of what is in the folder, in no order; none where it cannot be read.
  var names: [String] { (try? entries()) ?? [] }

  /// The names of what is in the folder, in no order.
  func entries() throws(FileError) -> [String] {
    // A descriptor of its own, as reading moves its place.
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .last(path) }
    guard let stream = unsafe fdopendir(copy) else {
      let error = FileError.last(path)
      close(copy)
      throw error
    }
    defer { unsafe closedir(stream) }
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

  /// What the system says of what has a name; `nil` where nothing has.
  func status(of name: String) -> stat? {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Whether there is anything under a name.
  func contains(_ name: String) -> Bool { status(of: name) != nil }

  /// What there is under a name; `nil` where there is nothing.
  func kind(of name: String) -> Kind? { status(of: name).map(Self.kind) }

  private static func kind(_ status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  /// Opens a file.
  ///
  /// - Throws: ``FileError``, with `ELOOP` for a link and `EINVAL` for what is no file.
  func openFile(_ name: String, _ flags: Int32) throws(FileError) -> Int32 {
    // Without O_NONBLOCK a named pipe would be waited for; it means nothing to a file.
    let file = unsafe openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw Self.failure("\(path)/\(name)", descriptor, name) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, Self.kind(status) == .file else {
      close(file)
      throw FileError(code: EINVAL, path: "\(path)/\(name)")
    }
    return file
  }

  /// The bytes of a file; `nil` where it cannot be read.
  func contents(of name: String) -> Data? {
    guard let file = try? openFile(name, O_RDONLY) else { return nil }
    return try? FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd() ?? Data()
  }

  /// Makes an empty file, unless something has the name.
  func makeFile(_ name: String) throws(FileError) {
    do {
      close(try openFile(name, O_WRONLY | O_CREAT | O_EXCL))
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }

  /// Writes a file anew and syncs it; what had the name is removed, and not written to.
  func write(_ data: Data, to name: String) throws(FileError) {
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .last("\(path)/\(name)")
    }
    let file = try openFile(name, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(file) }
    try DurableFiles.write(data, to: file, named: "\(path)/\(name)")
  }

  /// Gives a finished file a name that nothing in the folder has, and syncs the folder.
  ///
  /// - Throws: ``FileError`` with `EEXIST` if something has it, with `ENOENT` if the folder is gone.
  func publish(_ draft: String, as name: String) throws(FileError) {
    if unsafe linkat(descriptor, draft, descriptor, name, 0) != 0 {
      guard DurableFiles.isWithoutLinks(errno) else { throw .last("\(path)/\(name)") }
      try claim(name)
      guard unsafe renameat(descriptor, draft, descriptor, name) == 0 else {
        throw .last("\(path)/\(name)")
      }
    }
    Failpoint.step()
    remove(draft)
    do throws(FileError) {
      try synchronize()
    } catch {
      // Left there it would look like that of another attempt.
      remove(name)
      throw error
    }
  }

  /// Puts a finished file in the place of another, or of none.
  func replace(_ name: String, with draft: String) throws(FileError) {
    guard unsafe renameat(descriptor, draft, descriptor, name) == 0 else {
      throw .last("\(path)/\(name)")
    }
    Failpoint.step()
  }

  /// Waits until the names in the folder are on the disk.
  func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .last(path) }
    Failpoint.step()
  }

  /// Makes a folder in this one, for its owner alone.
  func makeFolder(_ name: String) throws(FileError) -> DurableDirectory {
    guard unsafe mkdirat(descriptor, name, 0o700) == 0 else { throw .last("\(path)/\(name)") }
    Failpoint.step()
    return try folder(name)
  }

  /// Makes a link that leads where a link of another folder does.
  func copyLink(_ name: String, from other: DurableDirectory) throws(FileError) {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe readlinkat(other.descriptor, name, &target, Int(PATH_MAX)) >= 0 else {
      throw .last("\(other.path)/\(name)")
    }
    guard unsafe symlinkat(target, descriptor, name) == 0 else { throw .last("\(path)/\(name)") }
  }

  /// Sets who may read and write the folder.
  func setMode(_ mode: mode_t) throws(FileError) {
    guard fchmod(descriptor, mode) == 0 || errno == EPERM else { throw .last(path) }
  }

  /// Removes a file, if it is there.
  func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

  /// Removes a file, or a folder with everything in it, as far as that can be.
  func removeTree(_ name: String) {
    guard kind(of: name) == .folder else { return remove(name) }
    if let folder = try? folder(name) { folder.names.forEach(folder.removeTree) }
    unsafe unlinkat(descriptor, name, AT_REMOVEDIR)
  }

  /// Takes a name by an empty file, on a file system without hard links.
  private func claim(_ name: String) throws(FileError) {
    close(try openFile(name, O_WRONLY | O_CREAT | O_EXCL))
  }

  /// Why a name could not be opened; the systems differ in what they say of links.
  private static func failure(_ path: String, _ folder: Int32, _ name: String) -> FileError {
    let error = FileError.last(path)
    var status = stat()
    let isLink =
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
    return isLink && error.code == ENOTDIR ? FileError(code: ELOOP, path: path) : error
  }
}

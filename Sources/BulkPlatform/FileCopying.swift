/// Copies contents of files as cheaply as their file systems can.
package enum FileCopying {
  private typealias Position = UnsafeMutablePointer<off_t>
  private typealias CopyRange =
    @convention(c) (Int32, Position?, Int32, Position?, Int, UInt32) -> Int
  private typealias SynchronizeAll = @convention(c) (Int32) -> Int32

  /// Calls of Linux, “copy_file_range(2)” and “syncfs(2)”.
  private static let copyRange = unsafe dlsym(nil, "copy_file_range").map {
    unsafe unsafeBitCast($0, to: CopyRange.self)
  }
  private static let synchronizeAll = unsafe dlsym(nil, "syncfs").map {
    unsafe unsafeBitCast($0, to: SynchronizeAll.self)
  }
  /// The most bytes that are copied between two checks whether to stop.
  private static let partBytes = 64 << 20

  /// Copies an open file to an empty one: as a reference to the same blocks, within the system, or by reading.
  ///
  /// - Returns: 0, or the error of the system; `ECANCELED` if it was stopped.
  package static func copy(_ file: Int32, to copy: Int32, isStopped: () -> Bool) -> Int32 {
    if shareBlocks(of: file, with: copy) { return 0 }
    while let copyRange = unsafe copyRange, !isStopped() {
      // The call moves the positions of both files.
      let count = copyRange(file, nil, copy, nil, partBytes, 0)
      if count > 0 || count < 0 && errno == EINTR { continue }
      // Not every pair of file systems can do it; the rest is read, if there is one.
      if count < 0, [ENOSPC, EDQUOT, EFBIG, EIO].contains(errno) { return errno }
      break
    }
    while !isStopped() {
      guard let bytes = FileReading.bytes(of: file, upTo: 1 << 20) else { return errno }
      if bytes.isEmpty { return 0 }
      guard FileWriting.write(bytes, to: copy) else { return errno }
    }
    return ECANCELED
  }

  /// Whether files of a folder can share the blocks of another file, so that a copy takes no space.
  package static func canShareBlocks(of path: String, in folder: String) -> Bool {
    guard let file = FileReading.open(path) else { return false }
    defer { close(file) }
    var template = Array((folder + "/.bulkmigrate-XXXXXX").utf8CString)
    // The call writes the name into the array, and keeps no pointer.
    let copy = unsafe mkstemp(&template)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    _ = unsafe unlink(template)
    return shareBlocks(of: file, with: copy)
  }

  private static func shareBlocks(of file: Int32, with copy: Int32) -> Bool {
    #if canImport(Glibc)
    // FICLONE, “ioctl_ficlone(2)”.
    ioctl(copy, 0x4004_9409, file) == 0
    #else
    false
    #endif
  }

  /// Whether all that a file system has to write can be written to the disk in one call.
  package static var canSynchronizeAll: Bool { synchronizeAll != nil }

  /// Writes all that the file system of an open file has to write; returns 0, or the error of the system.
  package static func synchronizeAll(besides file: Int32) -> Int32 {
    synchronizeAll.map { $0(file) == 0 ? 0 : errno } ?? ENOSYS
  }
}

/// The files in a folder and below it; links count as what they lead to.
package struct FolderWalk {
  /// A file or folder.
  package struct Item: Sendable {
    /// Where it can be opened.
    package let path: String
    /// The names that lead to it from the folder; none for this itself.
    package let names: [String]
    package let status: stat
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
  }

  /// Why a folder cannot be walked.
  package enum Fault: Error {
    /// A call of the system failed for a path, with an error number; `ELOOP` for a second way to a folder.
    case system(String, Int32)
    /// The path is a named pipe, a socket or a device.
    case notAFile(String)
    /// A link leads out of the folder that holds all.
    case leadsOut(String, to: String)
  }

  private let top: String
  private let bounds: String?
  /// The folders that were walked, by device and number.
  private var known: Set<[UInt64]> = []

  /// A folder, and the one out of which no link may lead; `nil` if links may lead anywhere.
  package init(_ path: String, bounds: String?) {
    (top, self.bounds) = (path, bounds.flatMap(Self.resolved))
  }

  /// Calls a body with all items in no order, folders before their contents; what links to nothing is left out.
  ///
  /// - Throws: ``Fault``, and errors of the body.
  package mutating func run(_ body: (Item) throws -> Void) throws { try visit(top, [], body) }

  private mutating func visit(
    _ path: String,
    _ names: [String],
    _ body: (Item) throws -> Void
  ) throws {
    guard let item = try item(path, names) else { return }
    let (device, number) = (item.status.st_dev, item.status.st_ino)
    if item.isFolder,
      !known.insert([UInt64(truncatingIfNeeded: device), UInt64(number)]).inserted
    {
      throw Fault.system(path, ELOOP)
    }
    try body(item)
    guard item.isFolder else { return }
    guard let stream = unsafe opendir(path) else { throw Fault.system(path, errno) }
    defer { unsafe closedir(stream) }
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { try visit("\(path)/\(name)", names + [name], body) }
      errno = 0
    }
    guard errno == 0 else { throw Fault.system(path, errno) }
  }

  /// The item with a path; `nil` if nothing is there.
  private func item(_ path: String, _ names: [String]) throws(Fault) -> Item? {
    var status = stat()
    // The calls read a path and fill a status, and keep neither.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFLNK {
      guard let target = Self.resolved(path), unsafe stat(target, &status) == 0 else { return nil }
      if let bounds, !"\(target)/".hasPrefix(bounds == "/" ? bounds : "\(bounds)/") {
        throw .leadsOut(path, to: target)
      }
    }
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { throw .notAFile(path) }
    return Item(path: path, names: names, status: status)
  }

  /// A path without links; `nil` if nothing is there.
  private static func resolved(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    // The system's memory is copied, then released.
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}

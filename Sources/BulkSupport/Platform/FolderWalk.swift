/// The files in a folder and below it; links count as what they lead to.
package struct FolderWalk {
  /// A file or folder.
  package struct Item: Sendable {
    package let path: String
    /// From the folder; none for this itself.
    package let names: [String]
    package let status: stat
    package var isFolder: Bool { status.kind == S_IFDIR }
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
  /// By device and number.
  private var known: Set<[UInt64]> = []

  /// A folder, and the one out of which no link may lead; `nil` if links may lead anywhere.
  package init(_ path: String, bounds: String?) {
    (top, self.bounds) = (path, bounds.map { Self.resolved($0) ?? $0 })
  }

  /// With one of the files.
  package static func files(
    in path: String,
    bounds: String?
  ) throws -> (count: Int64, bytes: Int64, first: String?) {
    var found: (count: Int64, bytes: Int64, first: String?) = (0, 0, nil)
    var walk = FolderWalk(path, bounds: bounds)
    try walk.run { item in
      guard !item.isFolder else { return }
      found.count += 1
      found.bytes += Int64(item.status.st_size)
      found.first = found.first ?? item.path
    }
    return found
  }

  /// In no order, folders before their contents; what links to nothing is left out.
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

  /// `nil` if nothing is there.
  private func item(_ path: String, _ names: [String]) throws(Fault) -> Item? {
    var status = stat()
    // The calls read a path and fill a status, and keep neither.
    guard unsafe lstat(path, &status) == 0 else { return try Self.nothing(at: path) }
    if status.kind == S_IFLNK {
      guard let target = Self.resolved(path), unsafe stat(target, &status) == 0 else {
        return try Self.nothing(at: path)
      }
      if let bounds, !"\(target)/".hasPrefix(bounds == "/" ? bounds : "\(bounds)/") {
        throw .leadsOut(path, to: target)
      }
    }
    guard [S_IFREG, S_IFDIR].contains(status.kind) else { throw .notAFile(path) }
    return Item(path: path, names: names, status: status)
  }

  /// Nothing, unless the last call of the system failed for a path where something may be.
  private static func nothing(at path: String) throws(Fault) -> Item? {
    guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else { throw .system(path, errno) }
    return nil
  }

  /// A path without links; `nil`, with the error number in `errno`, if it leads to nothing that can be found.
  private static func resolved(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    // The system's memory is copied, then released.
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}

package import BulkPlatform

/// A file that a command writes where its user says, beside files of others.
///
/// A link in its place is not followed, but for those by which the system names the streams of a process.
package struct OutputFile {
  private let path: String
  private static let streams = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"]

  package init(_ path: String) { self.path = path }

  /// Opens the file to add to its end, or makes it, for its owner alone.
  ///
  /// - Parameter store: The store whose values it holds; whoever may read the store may read the new file.
  /// - Returns: Its descriptor.
  /// - Throws: ``FileError``.
  package func openToAdd(ofStore store: String? = nil) throws(FileError) -> Int32 {
    if let stream = try stream() { return stream }
    let (folder, name) = try place()
    let isNew = !folder.contains(name)
    let file = try folder.openFile(name, O_RDWR | O_CREAT | O_APPEND)
    if isNew { Self.grant(store, to: file) }
    return file
  }

  /// Makes the file, or empties it, to write to it.
  ///
  /// - Parameter mode: The mode of a file that is made.
  /// - Returns: Its descriptor.
  /// - Throws: ``FileError``.
  package func make(mode: mode_t) throws(FileError) -> Int32 {
    if let stream = try stream() { return stream }
    let (folder, name) = try place()
    return try folder.openFile(name, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
  }

  /// Writes the file at once, in place of an earlier one.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - store: The store whose values it holds; whoever may read the store may read this file.
  /// - Throws: ``FileError``.
  package func write(_ bytes: [UInt8], ofStore store: String) throws(FileError) {
    if let stream = try stream() {
      defer { close(stream) }
      guard FileWriting.write(bytes, to: stream) else { throw .last(path) }
      return
    }
    let (folder, name) = try place()
    guard folder.kind(of: name) != .link else { throw FileError(code: ELOOP, path: path) }
    let draft = ".bulkmigrate-\(UUID().uuidString)"
    defer { folder.remove(draft) }
    try folder.write(Data(bytes), to: draft)
    let file = try folder.openFile(draft, O_RDONLY)
    defer { close(file) }
    Self.grant(store, to: file)
    try folder.replace(name, with: draft)
  }

  /// The file if it is a terminal, a pipe or another stream, which is neither made nor replaced.
  private func stream() throws(FileError) -> Int32? {
    let isNamed = Self.streams.contains { path.hasPrefix($0) }
    var status = stat()
    // The calls read a path and fill a status, and keep neither.
    guard unsafe lstat(path, &status) == 0,
      isNamed || [S_IFCHR, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return nil }
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | (isNamed ? 0 : O_NOFOLLOW)
    let file = unsafe open(path, flags)
    guard file >= 0 else { throw .last(path) }
    return file
  }

  private func place() throws(FileError) -> (DurableDirectory, String) {
    let url = URL(fileURLWithPath: path)
    return (
      try DurableDirectory(url.deletingLastPathComponent().path, followsLink: true),
      url.lastPathComponent
    )
  }

  private static func grant(_ store: String?, to file: Int32) {
    // Where that is not possible, the file stays for its owner alone.
    if let store { try? FilePermissions(of: store).grant(to: file, "") }
  }
}

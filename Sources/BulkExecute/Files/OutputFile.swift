package import BulkPlatform

/// A file that a command writes where its user says, beside files of others.
///
/// A link in its place is not followed, but for those by which the system names the streams of a process.
package struct OutputFile {
  private let path: String

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

  /// Makes the file and writes it.
  ///
  /// - Throws: ``FileError`` with `EEXIST` if something has its name.
  package func writeNew(_ text: String) throws(FileError) {
    let (folder, name) = try place()
    let file = try folder.openFile(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    defer { close(file) }
    try DurableFiles.write(Data(text.utf8), to: file, named: path)
  }

  /// Writes the file at once, in place of an earlier one.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - store: The store whose values it holds; whoever may read the store may read this file. Without one
  ///     everybody may, as far as the mask of the process allows.
  /// - Throws: ``FileError``.
  package func write(_ bytes: [UInt8], ofStore store: String? = nil) throws(FileError) {
    if let stream = try stream() {
      defer { close(stream) }
      guard FileWriting.write(bytes, to: stream) else { throw .last(path) }
      return
    }
    let (folder, name) = try place()
    guard folder.kind(of: name) != .link else { throw FileError(code: ELOOP, path: path) }
    let draft = ".bulkmigrate-\(UUID().uuidString)"
    defer { folder.remove(draft) }
    let file = try folder.openFile(
      draft,
      O_WRONLY | O_CREAT | O_EXCL,
      mode: store == nil ? 0o644 : 0o600
    )
    defer { close(file) }
    try DurableFiles.write(Data(bytes), to: file, named: path)
    Self.grant(store, to: file)
    try folder.replace(name, with: draft)
  }

  /// Whether it is a terminal, a pipe or another stream, which is neither made nor replaced.
  package var isStream: Bool {
    var status = stat()
    // The call reads a path and fills a status, and keeps neither.
    guard unsafe lstat(path, &status) == 0 else { return false }
    return FileReading.isNamedStream(path)
      || ![S_IFREG, S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT)
  }

  /// The stream, if it is one.
  ///
  /// - Throws: ``FileError`` with `ENXIO` for a named pipe that nobody reads.
  private func stream() throws(FileError) -> Int32? {
    guard isStream else { return nil }
    // Without O_NONBLOCK opening a named pipe would wait; writing to it may. The call does not keep the path.
    let flags = O_APPEND | (FileReading.isNamedStream(path) ? 0 : O_NOFOLLOW)
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags)
    guard file >= 0 else { throw .last(path) }
    _ = fcntl(file, F_SETFL, O_APPEND)
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

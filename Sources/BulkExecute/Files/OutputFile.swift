package import BulkSupport

/// A file that a command writes where its user says, beside files of others.
///
/// A link in its place is not followed, but for those by which the system names the streams of a process.
package struct OutputFile {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// Opens the file to add to its end, or makes it, for its owner alone.
  package func openToAdd() throws(FileError) -> OpenFile {
    if let stream = try stream() { return stream }
    let (folder, name) = try location()
    return try folder.openFile(name, O_RDWR | O_CREAT | O_APPEND)
  }

  package func make(mode: mode_t) throws(FileError) -> OpenFile {
    if let stream = try stream() { return stream }
    let (folder, name) = try location()
    return try folder.openFile(name, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
  }

  /// Throws ``FileError`` with `EEXIST` if something has its name.
  package func writeNew(_ bytes: [UInt8]) throws(FileError) {
    let (folder, name) = try location()
    try DurableFiles.write(Data(bytes), to: folder.newFile(name, mode: 0o644))
  }

  /// Writes the file at once, in place of an earlier one.
  ///
  /// Whoever may read `store`, whose values it holds, may read this file. Without one everybody may, as far as
  /// the mask of the process allows.
  package func write(_ bytes: [UInt8], ofStore store: String? = nil) throws(FileError) {
    if let stream = try stream() { return try stream.write(bytes) }
    let (folder, name) = try location()
    guard folder.status(of: name)?.kind != S_IFLNK else { throw FileError(code: ELOOP, path: path) }
    let draft = ".bulkmigrate-\(SystemHost.current.identifier())"
    defer { folder.remove(draft) }
    let file = try folder.newFile(draft, mode: store == nil ? 0o644 : 0o600)
    try DurableFiles.write(Data(bytes), to: file)
    // Where that is not possible, the file stays for its owner alone.
    if let store { try? FilePermissions(of: store).grant(to: file) }
    try folder.replace(name, with: draft)
  }

  /// Whether it is a terminal, a device or a stream of the process, which is neither made nor replaced.
  package var isStream: Bool { FileReading.isNamedStream(path) || type == S_IFCHR }
  private var type: mode_t? { (try? DurableFiles.status(of: path))?.kind }

  /// Refuses a named pipe or a socket, for whose reader a command would wait.
  package func refusePipe() throws(FileError) {
    guard !isStream, let type, ![S_IFREG, S_IFDIR, S_IFLNK].contains(type) else { return }
    throw FileError(code: ENXIO, path: path)
  }

  private func stream() throws(FileError) -> OpenFile? {
    try refusePipe()
    guard isStream, type != nil else { return nil }
    let flags = O_WRONLY | O_APPEND
    return try OpenFile(path, FileReading.isNamedStream(path) ? flags : flags | O_NOFOLLOW)
  }

  private func location() throws(FileError) -> (DurableDirectory, String) {
    let url = URL(fileURLWithPath: path)
    return (
      try DurableDirectory(url.deletingLastPathComponent().path, followsLink: true),
      url.lastPathComponent
    )
  }
}

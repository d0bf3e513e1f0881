internal import BulkSupport

/// Publishes a finished file or folder of the state directory under a name that nothing may have.
///
/// If the state directory is on another file system, a copy is made beside the name first, so that the name
/// has everything or nothing.
struct NamePublisher {
  private let path: String
  private let name: String
  private let copy: String

  init(_ path: String, as name: String, _ attempt: String) {
    self.path = path
    self.name = name
    copy = "\(name).bulkmigrate-\(attempt)"
  }

  func publishFile() throws {
    do throws(FileError) {
      try DurableFiles.publish(path, as: name)
    } catch {
      guard error.code == EXDEV else { throw error }
      tidy()
      defer { tidy() }
      try DurableFiles.copy(path, to: copy)
      try DurableFiles.publish(copy, as: name)
    }
  }

  /// Publishes the folder, and removes the original.
  ///
  /// A move between two folders may be lost by half, so a copy is renamed beside the name, and the original
  /// stays until that is synced.
  func publishFolder() throws {
    tidy()
    try FolderCopy(linksFiles: true).make(of: path, as: copy)
    try DurableFiles.move(copy, to: name)
    try DurableFiles.synchronize(
      URL(fileURLWithPath: name, isDirectory: false).deletingLastPathComponent().path
    )
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether the folder is published: everything that remains of the original is in the copy too.
  var isFolderPublished: Bool {
    guard DurableFiles.exists(name) else { return false }
    for file in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
      let original = try? DurableFiles.status(of: "\(path)/\(file)")
      // The size of a folder depends on its file system and on what it once held.
      if let original, original.kind == S_IFDIR { continue }
      let copy = try? DurableFiles.status(of: "\(name)/\(file)")
      guard let original, let copy, original.st_size == copy.st_size else { return false }
    }
    return true
  }

  private func tidy() { try? FileManager.default.removeItem(atPath: copy) }

  /// Removes the copies that interrupted attempts left; the identity is that of their state directory.
  static func removeCopies(beside name: String, _ identity: String) {
    let url = URL(fileURLWithPath: name, isDirectory: false)
    let prefix = "\(url.lastPathComponent).bulkmigrate-\(identity)"
    let folder = try? DurableDirectory(url.deletingLastPathComponent().path, followsLink: true)
    for copy in folder?.names ?? [] where copy.hasPrefix(prefix) { folder?.removeTree(copy) }
  }
}

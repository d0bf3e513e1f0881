internal import BulkPlatform
internal import Foundation

/// Brings a finished file or folder from the state directory to its name, which nothing may have.
///
/// Where the state directory lies on another file system, a copy is made beside the name first, so that
/// under the name there is everything or nothing.
struct Carry {
  private let path: String
  private let name: String
  private let copy: String

  init(_ path: String, as name: String, _ attempt: String) {
    self.path = path
    self.name = name
    copy = "\(name).bulkmigrate-\(attempt)"
  }

  /// Gives a file its name.
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

  /// Gives a folder its name, and removes it where it was.
  ///
  /// Between two folders a renaming may be lost by half, so it gets its name from beside it, and stays
  /// where it was until that is on the disk.
  func moveFolder() throws {
    tidy()
    try FolderCopy.make(of: path, as: copy)
    try DurableFiles.move(copy, to: name)
    try DurableFiles.synchronize(URL(fileURLWithPath: name).deletingLastPathComponent().path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether the folder has its name already: everything that is still where it was is there too.
  var isMoved: Bool {
    guard DurableFiles.exists(name) else { return false }
    let names = FileManager.default.enumerator(atPath: path)
    while let file = names?.nextObject() as? String {
      let size = try? DurableFiles.size(of: "\(name)/\(file)")
      guard size == (try? DurableFiles.size(of: "\(path)/\(file)")) else { return false }
    }
    return true
  }

  private func tidy() { try? FileManager.default.removeItem(atPath: copy) }

  /// Removes the copies that interrupted attempts have left beside a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - identity: That of the state directory in which they worked.
  static func removeCopies(beside name: String, _ identity: String) {
    let url = URL(fileURLWithPath: name)
    let prefix = "\(url.lastPathComponent).bulkmigrate-\(identity)"
    let folder = try? DurableDirectory(url.deletingLastPathComponent().path, followsLink: true)
    for copy in folder?.names ?? [] where copy.hasPrefix(prefix) { folder?.removeTree(copy) }
  }
}

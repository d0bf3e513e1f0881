/// Copies a folder of external values, with the modes of its files, and syncs the copy.
///
/// Links in it are copied as links. Other kinds of files are refused, and never opened.
struct FolderCopy {
  private let source: DurableDirectory
  private let target: DurableDirectory
  private let stopIfRequested: () throws -> Void

  /// Copies a folder to a name that nothing has.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - name: The name of the copy.
  ///   - stopIfRequested: Called before every file; an error of it ends the copying.
  /// - Throws: ``FileError``, ``MigrationError/foreignValue(_:)``.
  static func make(
    of path: String,
    as name: String,
    _ stopIfRequested: @escaping () throws -> Void = {}
  ) throws {
    let source = try DurableDirectory(path, followsLink: true)
    try DurableFiles.makeDirectory(name)
    let target = try DurableDirectory(name)
    try FolderCopy(source: source, target: target, stopIfRequested: stopIfRequested).run()
  }

  /// Copies into a folder the files that it does not have yet.
  static func complete(_ name: String, from path: String) throws {
    let source = try DurableDirectory(path, followsLink: true)
    let target = try DurableDirectory(name, followsLink: true)
    try FolderCopy(source: source, target: target, stopIfRequested: {}).run()
  }

  /// Refuses a folder with anything that cannot be copied.
  ///
  /// - Throws: ``MigrationError/foreignValue(_:)``, ``FileError``.
  static func refuse(_ path: String) throws {
    guard DurableFiles.exists(path) else { return }
    try refuse(try DurableDirectory(path, followsLink: true))
  }

  private static func refuse(_ folder: DurableDirectory) throws {
    for name in try folder.entries() {
      switch folder.kind(of: name) {
      case .folder: try refuse(try folder.folder(name))
      case .other: throw MigrationError.foreignValue("\(folder.path)/\(name)")
      case .file, .link, nil: continue
      }
    }
  }

  private func run() throws {
    for name in try source.entries().sorted() {
      try stopIfRequested()
      switch source.kind(of: name) {
      case .file:
        if !target.contains(name) { try DurableFiles.copy(name, from: source, to: target) }
      case .folder: try copyFolder(name)
      case .link: if !target.contains(name) { try target.copyLink(name, from: source) }
      case .other: throw MigrationError.foreignValue("\(source.path)/\(name)")
      case nil: continue
      }
    }
    if let status = source.status { try target.setMode(FilePermissions(status).ofFolderCopy) }
    try target.synchronize()
  }

  private func copyFolder(_ name: String) throws {
    let copy = target.contains(name) ? try target.folder(name) : try target.makeFolder(name)
    try FolderCopy(source: source.folder(name), target: copy, stopIfRequested: stopIfRequested)
      .run()
  }
}

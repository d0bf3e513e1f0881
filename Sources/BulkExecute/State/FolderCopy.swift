internal import BulkModel
internal import BulkPlan
internal import BulkSupport
internal import BulkSQLite
internal import Synchronization

/// Copies a folder of external values, with the modes of its files, and makes the copy durable.
///
/// Links count as what they lead to. Other kinds of files are refused, and never opened.
struct FolderCopy {
  /// The names of files while they are copied into a folder that may have some of them; a copy of each at a time.
  private static let drafts = (0..<4).map { ".bulkmigrate-copy-\($0)" }
  /// The files and the bytes after which progress is reported.
  private static let (batchFiles, batchBytes): (Int, Int64) = (64, 64 << 20)
  /// Up to so many files are synced one by one; more of them with all that the disk has to write.
  private static let syncedFiles = 16

  /// The folder out of which no link may lead; `nil` if links may lead anywhere.
  var bounds: String?
  /// Whether files get second names, where that is possible: both folders are ours, and nobody writes to the files.
  var linksFiles = false
  /// Called with the number of files that were copied, and while files are copied; its error ends the copying.
  var report: (Int64) throws -> Void = { _ in }

  private struct File: Sendable {
    let path: String
    let name: String
    let folder: DurableDirectory
  }

  func make(of path: String, as name: String) throws {
    try DurableFiles.makeDirectory(name)
    try complete(try DurableDirectory(name), from: path)
  }

  /// Copies into a folder the files that it does not have yet.
  func complete(_ name: String, from path: String) throws {
    let target = try DurableDirectory(name, followsLink: true)
    // Those of an attempt that was killed.
    Self.drafts.forEach(target.remove)
    try complete(target, from: path)
  }

  private func complete(_ target: DurableDirectory, from path: String) throws {
    var modes: [[String]: mode_t] = [:]
    // Only the folder of the last item stays open.
    var last: (names: [String], folder: DurableDirectory) = ([], target)
    func folder(_ names: [String]) throws -> DurableDirectory {
      if names != last.names {
        last = (names, try names.reduce(target) { try $0.folder($1) })
      }
      return last.folder
    }
    var (batch, bytes): ([File], Int64) = ([], 0)
    var count: Int64 = 0
    var areSynced = true
    func flush() throws {
      areSynced =
        !FileCopying.canSynchronizeAll || count == 0 && batch.count <= Self.syncedFiles
      try copy(batch, to: target, after: count, isSynced: areSynced)
      count += Int64(batch.count)
      (batch, bytes) = ([], 0)
      try report(count)
    }
    try MigrationError.walking {
      var walk = FolderWalk(path, bounds: bounds)
      try walk.run { item in
        if item.isFolder { modes[item.names] = FilePermissions(item.status).ofFolderCopy }
        guard let name = item.names.last else { return }
        let parent = try folder(item.names.dropLast())
        if item.isFolder {
          if !parent.contains(name) { _ = try parent.makeFolder(name) }
        } else if !parent.contains(name) {
          batch.append(File(path: item.path, name: name, folder: parent))
          bytes += Int64(item.status.st_size)
          if batch.count >= Self.batchFiles || bytes >= Self.batchBytes { try flush() }
        }
      }
    }
    if !batch.isEmpty { try flush() }
    for (names, mode) in modes { try folder(names).setMode(mode) }
    guard areSynced || linksFiles else { return try target.synchronizeAll() }
    for names in modes.keys { try folder(names).synchronize() }
  }

  private func copy(
    _ files: [File],
    to target: DurableDirectory,
    after count: Int64,
    isSynced: Bool
  ) throws {
    let next = NextIndex()
    let linksFiles = linksFiles
    let workers = Self.drafts.prefix(files.count).map { draft in
      Background { isStopped in
        Result { () throws(FileError) in
          while !isStopped(), let file = next.element(of: files) {
            if linksFiles, try file.folder.addName(file.name, of: file.path) { continue }
            let copied = try OpenFile(reading: file.path)
            let copy = try linksFiles ? target.newFile(draft) : file.folder.newFile(file.name)
            try DurableFiles.copy(
              copied,
              to: copy,
              isSynced: isSynced || linksFiles,
              isStopped: isStopped
            )
            if linksFiles { try target.move(draft, to: file.name, in: file.folder) }
          }
        }
      }
    }
    defer { for worker in workers { worker.stop() } }
    for worker in workers { try worker.value { try report(count) }.get() }
  }

  /// The next index of a list, on any thread.
  private final class NextIndex: Sendable {
    private let index = Atomic(0)

    func element(of files: [File]) -> File? {
      let found = index.add(1, ordering: .relaxed).oldValue
      return found < files.count ? files[found] : nil
    }
  }
}

extension FolderCopy {
  /// Publishes a folder of ours under a name that nothing may have, and removes the original.
  ///
  /// A move between two folders may be lost by half, so a copy is renamed beside the name, and the original
  /// stays until that is synced. `identity` is part of the copy's name.
  static func publish(_ path: String, as name: String, _ identity: String) throws {
    let copy = "\(name).bulkmigrate-\(identity)"
    try? FileManager.default.removeItem(atPath: copy)
    try FolderCopy(linksFiles: true).make(of: path, as: copy)
    try DurableFiles.move(copy, to: name)
    try DurableFiles.synchronize(
      URL(fileURLWithPath: name, isDirectory: false).deletingLastPathComponent().path
    )
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether everything that remains of the original is in a copy, too.
  static func isWhole(_ copy: String, of path: String) -> Bool {
    guard DurableFiles.exists(copy) else { return false }
    for file in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
      let original = try? DurableFiles.status(of: "\(path)/\(file)")
      // The size of a folder depends on its file system and on what it once held.
      if original?.kind == S_IFDIR { continue }
      let copied = try? DurableFiles.status(of: "\(copy)/\(file)")
      guard let original, original.st_size == copied?.st_size else { return false }
    }
    return true
  }
}

extension MigrationError {
  static func walking<Result>(_ walk: () throws -> Result) throws -> Result {
    do {
      return try walk()
    } catch let fault as FolderWalk.Fault {
      switch fault {
      case .system(let path, let code):
        let reason = FileError(code: code, path: path).reason
        throw MigrationError.inputOutput(path: path, reason: reason)
      case .notAFile(let path): throw MigrationError.foreignValue(path)
      case .leadsOut(let path, let target):
        throw MigrationError.plan(.linkLeadsOut(path, to: target))
      }
    }
  }
}

/// A digest of a folder's names, sizes and modification times, but not contents.
///
/// Like the moment of a finished store, it shows whether the copied external values have changed
/// since.
struct FolderDigest {
  private var hash = SHA256()

  /// The digest of a folder in hexadecimal; `nil` if it cannot be read.
  static func digest(of path: String) -> String? {
    var result = FolderDigest()
    guard let folder = try? DurableDirectory(path), (try? result.add(folder, "")) != nil else {
      return nil
    }
    return VersionHash.hexadecimal(result.hash.finalize())
  }

  private mutating func add(_ folder: DurableDirectory, _ prefix: String) throws(FileError) {
    for name in try folder.entries().sorted() {
      let path = prefix + name
      guard let status = folder.status(of: name) else { continue }
      if status.kind == S_IFDIR {
        try add(try folder.folder(name), path + "/")
      } else {
        let (time, size) = (status.modified, status.st_size)
        hash.update(Array("\(path)\t\(size)\t\(time.tv_sec).\(time.tv_nsec)\n".utf8))
      }
    }
  }
}

internal import BulkExecute
internal import BulkPlan
internal import BulkSupport
internal import BulkStore

/// The names that a store has where only the stage commands find it: its file, its log or journal, the files of its
/// external values, and those of objects that were left out.
struct StagedStore {
  private let name: String
  private let commands: StageCommands

  init(_ name: String, _ commands: StageCommands) { (self.name, self.commands) = (name, commands) }

  /// The name of the file of an external value, in the support folder beside the store.
  private func external(_ value: String) -> String {
    let last = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    return String(name[..<last])
      + ExternalBinaryData.file(value, of: "/\(name[last...])").dropFirst()
  }

  // MARK: Fetching

  /// Fetches all files of the store to a path that no file has.
  ///
  /// The header of the store tells whether a log or a journal is beside it, and its rows name the values. Values
  /// may be beside the path that an earlier attempt has fetched; they never change.
  func fetch(to path: String, _ planner: FleetPlanner) throws {
    try commands.fetch(name, to: path)
    let suffix = Self.suffix(of: path)
    // An attempt that was killed has fetched those of another moment.
    for former in ["-wal", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + former)
    }
    _ = try commands.fetchIfAny(name + suffix, to: path + suffix)
    try planner.eachExternalFile(of: planner.store(path)) { value in
      let local = ExternalBinaryData.file(value, of: path)
      if FileManager.default.fileExists(atPath: local) { return }
      try FileManager.default.createDirectory(
        atPath: ExternalBinaryData.file("", of: path),
        withIntermediateDirectories: true
      )
      // A direct run keeps a reference without its file too.
      guard try commands.fetchIfAny(external(value), to: local + ".part") else { return }
      try FileManager.default.moveItem(atPath: local + ".part", toPath: local)
    }
  }

  /// Whether a local copy that an earlier attempt has fetched has the present bytes of the store and its log; values
  /// never change.
  func isCopied(to path: String, comparingIn other: String) throws -> Bool {
    for suffix in ["", Self.suffix(of: path)] {
      let isThere = try commands.fetchIfAny(name + suffix, to: other)
      guard isThere == FileManager.default.fileExists(atPath: path + suffix) else { return false }
      if isThere, try StageCommands.digest(of: other) != StageCommands.digest(of: path + suffix) {
        return false
      }
    }
    return true
  }

  /// The suffix of the file beside a store with its last transactions, by the versions of the file format.
  private static func suffix(of path: String) -> String {
    let usesLog = FileReading.beginning(of: path, count: 20)?.dropFirst(18).contains(2) == true
    return usesLog ? "-wal" : "-journal"
  }

  /// The number of references of a local store to files that were not there.
  static func missingFiles(of path: String, _ planner: FleetPlanner) throws -> Int64 {
    var count: Int64 = 0
    try planner.eachExternalFile(of: planner.store(path)) { value in
      let isThere = FileManager.default.fileExists(atPath: ExternalBinaryData.file(value, of: path))
      if !isThere { count += 1 }
    }
    return count
  }

  // MARK: Putting

  /// Puts what was left out of a local store, and returns the number of objects; `nil` if none were.
  ///
  /// The files are those that a direct run leaves in the state directory; their copies have the names of the source
  /// and of this store. Fails if something else has one of the names.
  func putRejects(
    of path: String,
    from source: String,
    copyingTo copies: String,
    comparingIn other: String
  ) throws -> Int64? {
    let location = StateLocation(destination: path, stateDirectory: nil)
    guard let rejects = try RejectFolder(location) else { return nil }
    let files = try rejects.copy(to: copies, source: source, destination: name)
    // Each attempt has a mark of its own, and any will do.
    _ = try commands.putIfFree(files[0].path, as: files[0].name)
    for file in files.dropFirst() {
      try commands.put(file.path, as: file.name, comparingIn: other)
    }
    return rejects.summary.count
  }

  /// Puts the values of a local store, and then its file; fails if something else has one of the names.
  func put(_ path: String, comparingIn other: String) throws {
    let folder = ExternalBinaryData.file("", of: path)
    for value in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      try commands.put(
        ExternalBinaryData.file(value, of: path),
        as: external(value),
        comparingIn: other
      )
    }
    try commands.put(path, as: name, comparingIn: other)
  }
}

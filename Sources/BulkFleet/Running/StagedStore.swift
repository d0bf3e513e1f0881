internal import BulkPlan
internal import BulkPlatform
internal import BulkStore

/// The names that a store has where only the stage commands find it: its file, its log or journal, and the files of its
/// external values.
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

  /// Fetches all files of the store.
  ///
  /// The header of the store tells whether a log or a journal is beside it, and its rows name the values.
  ///
  /// - Parameters:
  ///   - path: The name of the local store. Nothing has it, but values may be beside it that an earlier attempt has
  ///     fetched; they never change.
  ///   - planner: Knows the model of the store.
  /// - Throws: ``FleetError``; ``PlanError`` if the store cannot be read, or is of no known version.
  func fetch(to path: String, _ planner: FleetPlanner) throws {
    try commands.fetch(name, to: path)
    // The versions of the file format tell whether the last transactions are in a log.
    let usesLog = FileReading.beginning(of: path, count: 20)?.dropFirst(18).contains(2) == true
    let suffix = usesLog ? "-wal" : "-journal"
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

  /// Puts the values of a local store, and then its file.
  ///
  /// - Parameters:
  ///   - path: The local store.
  ///   - other: Where files that have the names are fetched to.
  /// - Throws: ``FleetError`` if something else has one of the names.
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

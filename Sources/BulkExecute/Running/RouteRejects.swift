internal import BulkCoding
internal import BulkPlan
internal import BulkPlatform
internal import BulkStore
internal import BulkVersions

/// What the legs of a route have left out, each in its own state directory until the last one is done.
struct RouteRejects {
  private let folders: [RejectFolder]
  private static let pieceSize = 1 << 16

  /// Finds what finished legs have left out.
  ///
  /// - Parameters:
  ///   - legs: The indexes of the legs, from 0.
  ///   - state: The state directory of the whole.
  /// - Throws: ``MigrationError/unusableRejects(_:)``.
  init(of legs: Range<Int>, in state: StateDirectory) throws(MigrationError) {
    var folders: [RejectFolder] = []
    for leg in legs {
      let location = StateLocation(stateDirectory: state.state(ofStep: leg), isNamed: false)
      if let folder = try RejectFolder(location) { folders.append(folder) }
    }
    self.folders = folders
  }

  /// The objects that were left out.
  var count: Int64 { folders.reduce(0) { $0 + $1.summary.count } }

  /// Brings the files together in the state directory of the whole; an interrupted run does it again.
  ///
  /// - Parameters:
  ///   - state: The state directory.
  ///   - migration: The whole migration.
  ///   - outcome: Its outcome.
  /// - Returns: The folder with the files; `nil` if nothing was left out.
  /// - Throws: ``MigrationError`` if they cannot be written.
  func write(
    to state: StateDirectory,
    _ migration: Migration,
    _ outcome: MigrationOutcome
  ) throws -> String? {
    guard !folders.isEmpty else { return nil }
    do {
      return try state.makeRejectFolder { folder in
        var lines: [String: Int64] = [:]
        for rejects in folders {
          for (entity, count) in rejects.summary.lines.sorted(by: { $0.key < $1.key }) {
            let isNew = lines[entity] == nil
            try append(rejects.file(of: entity), to: "\(entity).jsonl", isNew: isNew, folder)
            lines[entity, default: 0] += count
          }
        }
        try folder.write(migration.plan.encoded(), to: RejectSummary.planName)
        try folder.write(summary(migration, outcome, lines).encoded(), to: RejectSummary.name)
      }
    } catch let error as FileError {
      throw error.asMigrationError
    }
  }

  private func append(
    _ path: String,
    to name: String,
    isNew: Bool,
    _ folder: DurableDirectory
  ) throws {
    let size = try DurableFiles.size(of: path)
    let file = try ReportFile(keeping: size, of: path)
    var (place, isNew) = (Int64(0), isNew)
    while place < size {
      let part = try file.read(Self.pieceSize, at: place)
      if part.isEmpty { break }
      try folder.append(Data(part), to: name, isNew: isNew)
      (place, isNew) = (place + Int64(part.count), false)
    }
  }

  private func summary(
    _ migration: Migration,
    _ outcome: MigrationOutcome,
    _ lines: [String: Int64]
  ) throws -> RejectSummary {
    let path = migration.plan.destination.store
    do {
      return RejectSummary(
        plan: migration.plan.fingerprint,
        policy: migration.rejects,
        destination: path,
        destinationState: try PersistentStore(path: path).identification.run().text,
        count: count,
        lines: lines,
        reasons: RejectSummary.sum(folders.flatMap { $0.summary.reasons ?? [] }),
        rows: outcome.rows,
        losses: outcome.losses,
        tallies: folders.last?.summary.tallies ?? [:]
      )
    } catch {
      throw MigrationError.plan(.store(error, path: path))
    }
  }
}

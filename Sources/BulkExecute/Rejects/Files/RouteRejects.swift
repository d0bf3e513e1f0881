internal import BulkPlan
internal import BulkSupport
internal import BulkStore

/// The objects left out by the legs of a route, each in its own state directory until the last one
/// is done.
struct RouteRejects {
  private let folders: [RejectFolder]
  private static let pieceSize = 1 << 16

  /// Throws ``MigrationError/damagedState(_:)`` if the objects left out by finished legs have changed.
  init(of legs: Range<Int>, in state: StateDirectory) throws(MigrationError) {
    var folders: [RejectFolder] = []
    for leg in legs {
      let location = state.state(ofStep: leg)
      let found: RejectFolder?
      do {
        found = try RejectFolder(location)
      } catch {
        throw .damagedState("the summary of what a leg has left out, in \(location.path),")
      }
      guard let folder = found else { continue }
      try folder.refuseChangedLines()
      folders.append(folder)
    }
    self.folders = folders
  }

  var count: Int64 { folders.reduce(0) { $0 + $1.summary.count } }

  /// Brings the files together in the state directory of the whole; an interrupted run does it again.
  ///
  /// Returns their folder; `nil` if nothing was left out.
  func write(
    to state: StateDirectory,
    _ migration: Migration,
    _ outcome: MigrationRecord
  ) throws -> String? {
    guard !folders.isEmpty else { return nil }
    return try state.makeRejectFolder { folder in
      var digests: [String: RejectDigest] = [:]
      for rejects in folders {
        for entity in rejects.entities {
          try append(entity, of: rejects, &digests[entity], to: folder)
        }
      }
      try folder.write(migration.plan.encoded(), to: RejectSummary.planName)
      try folder.write(summary(migration, outcome, digests).encoded(), to: RejectSummary.name)
    }
  }

  private func append(
    _ entity: String,
    of rejects: RejectFolder,
    _ digest: inout RejectDigest?,
    to folder: DurableDirectory
  ) throws {
    let lines = try FileLines(rejects.file(of: entity))
    var (whole, isNew, text) = (digest ?? RejectDigest(), digest == nil, "")
    while let next = try lines.next() {
      if let line = RejectLine(next) { whole.add(line) }
      text += next + "\n"
      guard text.utf8.count > Self.pieceSize else { continue }
      try folder.append(Data(text.utf8), to: "\(entity).jsonl", isNew: isNew)
      (text, isNew) = ("", false)
    }
    try folder.append(Data(text.utf8), to: "\(entity).jsonl", isNew: isNew)
    digest = whole
  }

  private func summary(
    _ migration: Migration,
    _ outcome: MigrationRecord,
    _ digests: [String: RejectDigest]
  ) throws -> RejectSummary {
    let path = migration.plan.destination.store
    let state = try MigrationError.planning(
      try PlanError.reading(path, try PersistentStore(path: path).identification.run().text)
    )
    return RejectSummary(
      plan: migration.plan.fingerprint,
      policy: migration.rejects,
      destination: path,
      destinationState: state,
      count: count,
      lines: folders.reduce(into: [:]) { $0.merge($1.summary.lines, uniquingKeysWith: +) },
      reasons: RejectSummary.sum(folders.flatMap { $0.summary.reasons ?? [] }),
      keys: digests.mapValues(\.text),
      rows: outcome.rows,
      losses: outcome.losses,
      tallies: folders.last?.summary.tallies ?? [:]
    )
  }
}

internal import BulkSupport
package import BulkPlan

/// The summary of a folder of objects that were left out.
package struct RejectSummary: Codable, Hashable, Sendable {
  package static let format = "rejects/1"
  static let name = "summary.json"
  static let planName = "plan.json"
  static let folderName = "rejects"
  static let replayName = "replay"
  /// The name of the folder once its objects were brought in with corrected values.
  static let replayedName = "replayed"

  /// How many objects were left out for a reason; an object may have several.
  package struct Reason: Codable, Hashable, Sendable {
    package var entity: String
    package var property: String
    package var rule: String
    package var count: Int64
    /// The objects with the smallest keys, at most ``firstLimit``; absent for a later leg of a route, whose source is
    /// gone, and where an earlier version wrote the file.
    package var first: [Object]?
    static let firstLimit = 5
  }

  /// A source object that was left out.
  package struct Object: Codable, Hashable, Sendable {
    /// The key of its row in the source.
    package var key: Int64
    /// The value at fault, or the reason of a policy; absent for no value.
    package var value: String?
  }

  package var bulkmigrate = RejectSummary.format
  package var plan: String
  package var policy: RejectPolicy
  /// The destination; an absolute path.
  package var destination: String
  /// A digest of the destination's state when it was published, in hexadecimal.
  package var destinationState: String
  package var count: Int64
  /// The number of lines of each file, by source entity.
  package var lines: [String: Int64]
  /// The reasons, sorted; absent where an earlier version wrote the file.
  package var reasons: [Reason]?
  /// A ``RejectDigest`` of the lines of each file, by source entity, in hexadecimal; absent where an earlier version wrote
  /// the file.
  var keys: [String: String]?
  package var rows: Int64
  package var losses: [MigrationPlan.Loss]
  package var tallies: [String: RowTally]

  /// Each reason once.
  static func sum(_ reasons: [Reason]) -> [Reason] {
    Dictionary(grouping: reasons) { [$0.entity, $0.property, $0.rule] }.values
      .compactMap { same in
        var sum = same.first
        sum?.count = same.reduce(0) { $0 + $1.count }
        return sum
      }
      .sorted { ($0.entity, $0.property, $0.rule) < ($1.entity, $1.property, $1.rule) }
  }

  func encoded() throws -> Data {
    Data("\(try StableJSON.document(self))\n".utf8)
  }
}

extension RejectSummary {
  /// The content of a file; `nil` where it is not of this format, or has numbers that no store has.
  init?(_ data: Data) {
    guard let found = try? JSONDecoder().decode(RejectSummary.self, from: data),
      found.bulkmigrate == Self.format, found.counts.allSatisfy(\.areCounts)
    else { return nil }
    self = found
  }

  private var counts: [[Int64]] {
    [
      [count, rows], Array(lines.values), (reasons ?? []).map(\.count), losses.map(\.count),
      tallies.values.flatMap { [$0.read, $0.written, $0.leftOut ?? 0, $0.unassociated ?? 0] },
      tallies.values.flatMap { [$0.made, $0.merged, $0.rejected, $0.refused, $0.filtered] },
    ]
  }
}

extension Sequence<Int64> {
  /// Whether these numbers of a file can be counts of what stores hold, and their sum, too: one has 2^48 bytes at most.
  package var areCounts: Bool {
    var left: Int64 = 1 << 48
    return allSatisfy { count in
      guard (0...left).contains(count) else { return false }
      left -= count
      return true
    }
  }
}

/// A folder of objects that were left out, or that were brought in since with corrected values.
package struct RejectFolder: Sendable {
  let location: StateLocation
  package let path: String
  package let summary: RejectSummary

  /// Opens the folder of a migration; `nil` if nothing was left out.
  package init?(_ location: StateLocation) throws(MigrationError) {
    try self.init(location, named: RejectSummary.folderName)
  }

  /// Opens the folder of objects that a replay has brought in with corrected values; `nil` if there is none.
  package static func replayed(_ location: StateLocation) throws(MigrationError) -> RejectFolder? {
    try RejectFolder(location, named: RejectSummary.replayedName)
  }

  /// The folder that an interrupted run has completed, which ``StateDirectory/begin(_:)`` would have removed; `nil` if there
  /// is none.
  static func complete(
    in state: StateDirectory,
    for plan: MigrationPlan
  ) throws(MigrationError) -> RejectFolder? {
    let location = StateLocation(stateDirectory: state.path, isNamed: false)
    guard let folder = try RejectFolder(location), folder.summary.plan == plan.fingerprint else {
      return nil
    }
    return folder
  }

  /// Removes a folder of a state directory; files of others in it stay with it, and so does a folder that is not ours.
  static func remove(_ name: String, from state: DurableDirectory) {
    guard let folder = try? state.folder(name) else { return }
    if let summary = folder.contents(of: RejectSummary.name).flatMap(RejectSummary.init) {
      for entity in summary.lines.keys where !entity.contains("/") {
        folder.remove("\(entity).jsonl")
      }
      folder.remove(RejectSummary.planName)
      folder.remove(RejectSummary.name)
    }
    state.removeFolder(name)
  }

  private init?(_ location: StateLocation, named name: String) throws(MigrationError) {
    self.location = location
    path = "\(location.path)/\(name)"
    let bytes: [UInt8]?
    do {
      bytes = try FileReading.bytes(ofFile: "\(path)/\(RejectSummary.name)", atMost: 1 << 26)
    } catch {
      if case .system(let code) = error {
        guard code != ENOENT else { return nil }
        throw .inputOutput(path: path, reason: "\(error)")
      }
      bytes = nil
    }
    guard let summary = bytes.flatMap({ RejectSummary(Data($0)) }) else {
      throw .unusableRejects("\(path)/\(RejectSummary.name) is not what this version writes")
    }
    self.summary = summary
  }

  package func plan() throws -> MigrationPlan {
    try MigrationPlan(contentsOf: "\(path)/\(RejectSummary.planName)")
  }

  /// Throws ``MigrationError/damagedState(_:)`` if the lines of a leg are not those that were written.
  func refuseChangedLines() throws(MigrationError) {
    for entity in entities {
      let lines = try? FileLines(file(of: entity))
      var digest = RejectDigest()
      while let line = try lines?.next() { digest.add(line) }
      guard digest.text == summary.keys?[entity] else {
        throw .damagedState("\(file(of: entity)), the list of what a leg has left out,")
      }
    }
  }

  /// The name of the summary of what was left out of a destination, in the usual state directory.
  package static func summary(of destination: String) -> String {
    "\(destination)\(StateLocation.suffix)/\(RejectSummary.folderName)/\(RejectSummary.name)"
  }

  /// Makes the files that a run from and to stores of other names leaves, where they differ in a new folder.
  ///
  /// Returns them with the names that they have in the usual state directory: its mark first, and the summary
  /// last.
  package func copy(
    to copy: String,
    source: String,
    destination: String
  ) throws -> [(path: String, name: String)] {
    var (plan, summary) = (try self.plan(), self.summary)
    plan.source.store = source
    plan.source.reading = nil
    plan.destination.store = destination
    plan.fingerprint = plan.computedFingerprint
    (summary.plan, summary.destination) = (plan.fingerprint, destination)
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    let (plans, sums) = ("\(copy)/\(RejectSummary.planName)", "\(copy)/\(RejectSummary.name)")
    try plan.encoded().write(to: URL(fileURLWithPath: plans))
    try summary.encoded().write(to: URL(fileURLWithPath: sums))
    let state = destination + StateLocation.suffix
    let folder = "\(state)/\(RejectSummary.folderName)"
    return [("\(location.path)/\(StateMarker.name)", "\(state)/\(StateMarker.name)")]
      + entities.map { (file(of: $0), "\(folder)/\($0).jsonl") }
      + [(plans, "\(folder)/\(RejectSummary.planName)"), (sums, Self.summary(of: destination))]
  }

  package var entities: [String] { summary.lines.keys.sorted() }

  package func file(of entity: String) -> String { "\(path)/\(entity).jsonl" }
}

extension RejectFolder {
  package var lines: [String] {
    let table = entities.table(
      .left("ENTITY") { $0 },
      .right("ROWS") { (summary.lines[$0] ?? 0).grouped },
      .left("FILE") { file(of: $0) }
    )
    return table + ["", "\(summary.destination): \(summary.count.grouped) left out"]
  }
}

import BulkPlatform
internal import BulkVersions
import BulkExecute
import BulkPlan

/// The durations of earlier runs on this machine, by which the next one estimates its own.
struct RunHistory: Codable, Equatable, Sendable {
  /// A run that nothing disturbed.
  struct Run: Codable, Equatable, Sendable {
    /// The way in which the destination was made: `rebuild`, `copy` or `route`.
    var kind: String
    /// The time that the plan estimated, in seconds.
    var estimatedSeconds: Double
    /// The time that it took, in seconds.
    var seconds: Double
    /// The time until the last row was written, in seconds.
    var rowSeconds: Double
    /// The rows of the destination.
    var rows: Int64

    var isPlausible: Bool {
      estimatedSeconds > 0 && rowSeconds > 0 && seconds >= rowSeconds && seconds.isFinite
        && rows >= 0
    }
  }

  static let format = "history/1"
  /// The maximum number of runs that are kept.
  static let limit = 64
  /// The shortest run, in seconds, from which a longer one can be estimated.
  static let shortest = 1.0

  /// The format, always the same.
  private(set) var bulkmigrate = RunHistory.format
  /// The runs, oldest first; at most ``limit``.
  private(set) var runs: [Run] = []

  init() {}

  /// Adds a run, in place of the oldest where there are too many.
  mutating func add(_ run: Run) { runs = (runs + [run]).suffix(Self.limit) }
}

/// The file of the record, `bulkmigrate/history.json` in `XDG_STATE_HOME` or `~/.local/state`.
struct RunHistoryFile: Sendable {
  /// The path; `nil` if the user has no folder, or no record is kept.
  let path: String?
  private static let sizeLimit = 1 << 16

  init(_ environment: [String: String], isKept: Bool) {
    path = isKept ? Self.folder(environment).map { "\($0)/bulkmigrate/history.json" } : nil
  }

  private static func folder(_ environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return isOfThisUser(state) ? state : nil
    }
    guard let home = environment["HOME"], home.hasPrefix("/"), isOfThisUser(home) else {
      return nil
    }
    return "\(home)/.local/state"
  }

  /// Whether a folder belongs to this user; others are left alone.
  private static func isOfThisUser(_ folder: String) -> Bool {
    var status = stat()
    // The call fills the status and keeps neither it nor the path.
    return unsafe stat(folder, &status) == 0 && status.st_uid == geteuid()
  }

  /// Reads the record, empty where there is none; warns of a corrupt file, which is ignored, and replaced later.
  func read(_ warn: (String) -> Void) -> RunHistory {
    guard let path, FileManager.default.fileExists(atPath: path) else { return RunHistory() }
    guard let bytes = try? FileReading.bytes(ofFile: path, atMost: Self.sizeLimit),
      let found = try? JSONDecoder().decode(RunHistory.self, from: Data(bytes)),
      found.bulkmigrate == RunHistory.format, found.runs.count <= RunHistory.limit,
      found.runs.allSatisfy(\.isPlausible)
    else {
      warn(
        "\(path), the record of earlier runs, is corrupt and ignored; the next run replaces it"
      )
      return RunHistory()
    }
    return found
  }

  /// Adds a run, and returns whether it could be written; a run never fails because of it.
  @discardableResult
  func add(_ run: RunHistory.Run) -> Bool {
    guard let path, run.isPlausible, run.seconds >= RunHistory.shortest else { return false }
    var history = read { _ in }
    history.add(run)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      try OutputFile(path).write(Array(JSONEncoder().encode(history)))
      return true
    } catch {
      return false
    }
  }
}

extension MigrationPlan {
  /// How the destination is made, for the record of earlier runs.
  fileprivate var kind: String { route == nil ? strategy?.kind.rawValue ?? "rebuild" : "route" }
}

extension TimeForecast {
  /// A forecast for a plan; `nil` if too few earlier runs were alike.
  init?(after history: RunHistory, for plan: MigrationPlan) {
    self.init(after: history.runs, kind: plan.kind, estimatedSeconds: plan.estimatedSeconds)
  }
}

extension RunHistory.Run {
  /// The durations of a run; `nil` if it was resumed, or did nothing.
  init?(_ outcome: MigrationOutcome, _ plan: MigrationPlan, _ record: MeasureRecord) {
    guard outcome.destinationPath != nil, !outcome.wasDone, !outcome.wasWhole, !outcome.hasWaited,
      record.attempts.count == 1
    else { return nil }
    let rows = record.samples.last { $0.stage?.followsRows == false }?.seconds
    self.init(
      kind: plan.kind,
      estimatedSeconds: plan.estimatedSeconds,
      seconds: record.seconds,
      rowSeconds: rows ?? record.seconds,
      rows: outcome.rows
    )
  }
}

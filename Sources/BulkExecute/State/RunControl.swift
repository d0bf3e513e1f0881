internal import BulkSupport

/// The requests of another process to a running migration: to wait, or to write more slowly.
package struct RunControl: Codable, Hashable, Sendable {
  static let format = "control/1"
  private var bulkmigrate = RunControl.format
  package var isPaused = false {
    didSet {
      guard isPaused != oldValue else { return }
      pausedSince = isPaused ? SystemHost.current.now().formatted(.iso8601) : nil
    }
  }
  /// When it was asked to wait, as ISO 8601 in UTC; `nil` unless it is, and where a fleet asked.
  package private(set) var pausedSince: String?
  /// `nil` for unlimited.
  package var bytesPerSecond: Int64?

  package init() {}

  fileprivate var isOfThisFormat: Bool { bulkmigrate == Self.format }

  /// To a process that carries out several migrations.
  package init(isPaused: Bool, bytesPerSecond: Int64?) {
    self.isPaused = isPaused
    self.bytesPerSecond = bytesPerSecond
  }

  /// The current requests to the migration of a state directory.
  ///
  /// Throws ``MigrationError/nothingToResume(_:)`` if the directory does not exist;
  /// ``MigrationError/notAtWork(stateDirectory:)`` if no process works on it, as the next one discards
  /// requests.
  package init(of location: StateLocation) throws(MigrationError) {
    guard let folder = ControlFile(location) else { throw .nothingToResume(location.path) }
    guard folder.isAtWork else { throw .notAtWork(stateDirectory: location.path) }
    self = folder.control ?? RunControl()
  }

  /// Sends the requests to the migration of a state directory, which applies them within a second.
  ///
  /// Throws ``MigrationError/nothingToResume(_:)`` if the directory does not exist.
  package func send(to location: StateLocation) throws(MigrationError) {
    guard let folder = ControlFile(location) else { throw .nothingToResume(location.path) }
    try folder.replace(with: self)
  }
}

extension RunControl {
  /// As `paused since 2026-11-27T10:04:12Z` and `throttled to 3 MiB a second`.
  package var phrases: [String] {
    [
      isPaused ? "paused" + (pausedSince.map { " since \($0)" } ?? "") : nil,
      bytesPerSecond.map { "throttled to \(ByteCount(bytes: $0)) a second" },
    ].compactMap(\.self)
  }
}

/// A file of requests: in a state directory, where it is removed with what attempts have made, or elsewhere.
package struct ControlFile {
  private let folder: DurableDirectory
  private let name: String
  private static let sizeLimit = 4_096

  /// A file outside of a state directory.
  package init(_ path: String) throws(MigrationError) {
    let url = URL(fileURLWithPath: path, isDirectory: false)
    name = url.lastPathComponent
    folder = try MigrationError.writing(
      try DurableDirectory(url.deletingLastPathComponent().path, followsLink: true)
    )
  }

  /// `nil` if there is no state directory that this user has made.
  init?(_ location: StateLocation) {
    guard location.isOfThisUser, let folder = try? DurableDirectory(location.path),
      let marker = StateMarker(of: folder)
    else { return nil }
    self.folder = folder
    name = Self.name(marker.identity)
  }

  static func name(_ identity: String) -> String { "control-\(identity)" }

  var isAtWork: Bool { StateLock.isHeld(in: folder) }

  /// `nil` if there are no requests, or if they cannot be read.
  package var control: RunControl? {
    guard let size = folder.status(of: name)?.st_size, size <= Self.sizeLimit,
      let data = folder.contents(of: name),
      let found = try? JSONDecoder().decode(RunControl.self, from: data), found.isOfThisFormat
    else { return nil }
    return found
  }

  /// In place of earlier requests; a file that is not a request keeps its content.
  package func send(_ control: RunControl) throws(MigrationError) {
    guard self.control != nil || !folder.contains(name) else {
      throw .foreignFile("\(folder.path)/\(name)")
    }
    try replace(with: control)
  }

  /// Removes requests; anything else that has the name stays.
  package func discard() {
    if control != nil { folder.remove(name) }
  }

  fileprivate func replace(with control: RunControl) throws(MigrationError) {
    let draft = "\(name)-\(SystemHost.current.identifier())"
    do {
      try folder.write(JSONEncoder().encode(control) + Data("\n".utf8), to: draft)
      try folder.replace(name, with: draft)
    } catch {
      throw .failure(error, at: folder.path)
    }
  }
}

/// The progress of a running migration, in a file that other processes read; it is removed with the files of attempts.
struct LiveProgress: Codable {
  let process: Int32
  /// Of ``MigrationProgress/Stage``.
  let stage: String
  /// Of all steps and passes.
  let rows: Int64
  /// `nil` while it is not known.
  let share: Double?

  /// The bytes of the file, whose end is filled with spaces, so that it is written at once.
  private static let size = 256

  /// `nil` if there is no report, or if it is not of the owner of the lock.
  init?(in folder: DurableDirectory, _ identity: String, of owner: StateOwner?) {
    guard
      let data = folder.contents(of: Self.name(identity)),
      let found = try? JSONDecoder().decode(LiveProgress.self, from: data),
      found.process == owner?.process
    else { return nil }
    self = found
  }

  init(_ progress: MigrationProgress) {
    process = getpid()
    stage = progress.stage.rawValue
    rows = progress.rowsDone
    share = progress.share
  }

  static func name(_ identity: String) -> String { "progress-\(identity)" }

  /// Writes it, unless another process, or none, holds the folder; a file that cannot be written is of no importance.
  func write(to location: StateLocation) {
    guard StateLock.owner(in: location.path)?.process == getpid(),
      let folder = try? DurableDirectory(location.path), let marker = StateMarker(of: folder),
      let data = try? JSONEncoder().encode(self), data.count <= Self.size,
      let file = try? folder.openFile(Self.name(marker.identity), O_WRONLY | O_CREAT)
    else { return }
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: Self.size - data.count)
    try? file.write(Array(data) + spaces)
  }
}

/// A limit of the bytes that this process writes a second.
///
/// Excess bytes are waited for, even after the limit has changed. Unused bytes count for one
/// second.
package struct Throttle {
  private let bytesPerSecond: Double
  /// As of the last check.
  private var written: Int64
  /// The time when the excess over the limit is paid off.
  private var due: ContinuousClock.Instant

  /// The limit that follows another one; `nil` if there is none.
  package init?(after former: Throttle?, bytesPerSecond: Int64?) {
    guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    self.bytesPerSecond = Double(bytesPerSecond)
    written = former?.written ?? ProcessUse.bytesWritten ?? 0
    let now = SystemHost.current.instant()
    let debt = former.map { max(($0.due - now) / .seconds(1), 0) * $0.bytesPerSecond } ?? 0
    due = now + .seconds(debt / self.bytesPerSecond)
  }

  package mutating func mustWait() -> Bool {
    let bytes = ProcessUse.bytesWritten ?? 0
    let now = SystemHost.current.instant()
    due = max(due, now - .seconds(1)) + .seconds(Double(bytes - written) / bytesPerSecond)
    written = bytes
    return due > now
  }
}

internal import BulkPlatform
internal import Synchronization

/// What another process asks of a running migration.
public struct RunControl: Codable, Hashable, Sendable {
  /// The format of the file.
  static let format = "control/1"

  /// The format, always the same.
  private var bulkmigrate = RunControl.format
  /// Whether it waits until it is asked to go on.
  public var isPaused = false
  /// The most bytes a second that it writes; `nil` for no limit.
  public var bytesPerSecond: Int64?

  /// No wish.
  public init() {}

  /// What is asked of the migration of a state directory.
  ///
  /// - Throws: ``MigrationError/nothingToResume(_:)`` if there is no such directory.
  public init(of location: StateLocation) throws(MigrationError) {
    guard let folder = ControlFile(location) else { throw .nothingToResume(location.path) }
    self = folder.control ?? RunControl()
  }

  /// Asks the migration of a state directory, which obeys within a second while it works.
  ///
  /// - Throws: ``MigrationError/nothingToResume(_:)`` if there is no such directory;
  ///   ``MigrationError/inputOutput(path:reason:)``.
  public func ask(of location: StateLocation) throws(MigrationError) {
    guard let folder = ControlFile(location) else { throw .nothingToResume(location.path) }
    do {
      try folder.write(self)
    } catch {
      throw error.asMigrationError
    }
  }
}

/// The file of what is asked, in a state directory; it is removed with what attempts have made.
struct ControlFile {
  private let folder: DurableDirectory
  private let name: String

  /// The file of a state directory; `nil` if there is none that this user has made.
  init?(_ location: StateLocation) {
    guard location.isOfThisUser, let folder = try? DurableDirectory(location.path),
      let marker = StateMarker(of: folder)
    else { return nil }
    self.folder = folder
    name = Self.name(marker.identity)
  }

  /// The name of the file.
  static func name(_ identity: String) -> String { "control-\(identity)" }

  /// What is asked; `nil` if nothing is, or if it cannot be read.
  var control: RunControl? {
    folder.contents(of: name).flatMap { try? JSONDecoder().decode(RunControl.self, from: $0) }
  }

  fileprivate func write(_ control: RunControl) throws(FileError) {
    guard let data = try? JSONEncoder().encode(control) else {
      throw FileError(code: EINVAL, path: folder.path)
    }
    let draft = "\(name)-\(UUID().uuidString)"
    try folder.write(data + Data("\n".utf8), to: draft)
    try folder.replace(name, with: draft)
  }
}

/// Makes a run wait as long as it is asked to.
final class RunGovernor: Sendable {
  private struct State {
    var next = ContinuousClock.now
    var control = RunControl()
    /// The bytes that were written when the limit began, and when that was.
    var throttled: (since: ContinuousClock.Instant, bytes: Int64)?
  }

  private let state = Mutex(State())
  private let location: StateLocation
  private let hasBegun = Atomic(false)
  private static let interval = Duration.milliseconds(500)
  private static let pause = Duration.milliseconds(50)

  init(_ location: StateLocation) { self.location = location }

  /// Begins to obey; what was asked of an earlier attempt is forgotten before.
  func begin() { hasBegun.store(true, ordering: .relaxed) }

  /// Waits as long as it is asked to; a request to stop ends every wait.
  func obey(_ isStopped: () -> Bool) {
    while mustWait, !isStopped() { SystemThread.pause(Self.pause) }
  }

  /// Whether to wait at this moment.
  private var mustWait: Bool {
    guard hasBegun.load(ordering: .relaxed) else { return false }
    return state.withLock { state in
      if ContinuousClock.now >= state.next {
        state.next = .now + Self.interval
        take(ControlFile(location)?.control ?? RunControl(), &state)
      }
      if state.control.isPaused { return true }
      guard let limit = state.control.bytesPerSecond, let throttled = state.throttled else {
        return false
      }
      let seconds = (ContinuousClock.now - throttled.since) / .seconds(1)
      return Double((ProcessUse.bytesWritten ?? 0) - throttled.bytes) > seconds * Double(limit)
    }
  }

  private func take(_ control: RunControl, _ state: inout State) {
    guard control != state.control else { return }
    state.control = control
    state.throttled = control.bytesPerSecond.map { _ in (.now, ProcessUse.bytesWritten ?? 0) }
  }
}

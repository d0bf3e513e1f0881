internal import BulkCoding
internal import BulkPlatform

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

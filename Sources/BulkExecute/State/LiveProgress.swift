internal import BulkPlatform
internal import Synchronization

struct LiveProgress: Codable {
  let process: Int32
  /// Of ``MigrationProgress/Stage``.
  let stage: String
  /// In all steps and passes.
  let rows: Int64
  /// `nil` while it is not known.
  let share: Double?

  /// `nil` if there is no report, or if it is not of the owner of the lock.
  init?(in folder: DurableDirectory, _ identity: String, of owner: StateOwner?) {
    guard
      let data = folder.contents(of: LiveProgressFile.name(identity)),
      let found = try? JSONDecoder().decode(LiveProgress.self, from: data),
      found.process == owner?.process
    else { return nil }
    self = found
  }

  fileprivate init(_ progress: MigrationProgress) {
    process = getpid()
    stage = progress.stage.rawValue
    rows = progress.rowsDone
    share = progress.share
  }
}

/// The file in which a running migration reports its progress; it is removed with the files of
/// attempts.
final class LiveProgressFile: Sendable {
  private let location: StateLocation
  private let next = Mutex(SystemHost.current.instant() + LiveProgressFile.interval)
  private static let interval = Duration.seconds(1)
  /// The bytes of the file, whose end is filled with spaces, so that it is written at once.
  private static let size = 256

  init(_ location: StateLocation) { self.location = location }

  static func name(_ identity: String) -> String { "progress-\(identity)" }

  /// Reports progress, once a second at most; a file that cannot be written is of no importance.
  func note(_ progress: MigrationProgress) {
    let isDue = next.withLock { next in
      guard SystemHost.current.instant() >= next else { return false }
      next = SystemHost.current.instant() + Self.interval
      return true
    }
    if isDue { write(progress) }
  }

  /// Reports progress at once, unless another process, or none, holds the folder.
  func write(_ progress: MigrationProgress) {
    guard StateLock.owner(in: location.path)?.process == getpid(),
      let folder = try? DurableDirectory(location.path), let marker = StateMarker(of: folder),
      let data = try? JSONEncoder().encode(LiveProgress(progress)), data.count <= Self.size,
      let file = try? folder.openFile(Self.name(marker.identity), O_WRONLY | O_CREAT)
    else { return }
    defer { close(file) }
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: Self.size - data.count)
    _ = FileWriting.write(Array(data) + spaces, to: file)
  }
}

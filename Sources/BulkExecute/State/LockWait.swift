internal import BulkSupport

/// How long to wait for the lock of a state directory.
struct LockWait {
  private let limit: Duration
  private static let pause = Duration.milliseconds(100)

  init(_ limit: Duration) { self.limit = limit }

  /// Enters a state directory as soon as it is free.
  ///
  /// On a file system that keeps locks to one host, a lock of a process on another host may be in use although
  /// it seems to be free. It counts as free without a sign of life during the wait.
  func enter(
    _ location: StateLocation,
    isShort: Bool = false,
    _ stopIfRequested: () throws -> Void
  ) throws -> StateFolder {
    try MigrationError.translatingFileErrors {
      try waited(for: location, isShort: isShort, stopIfRequested)
    }
  }

  private func waited(
    for location: StateLocation,
    isShort: Bool,
    _ stopIfRequested: () throws -> Void
  ) throws -> StateFolder {
    let start = SystemHost.current.instant()
    let signs = location.checkpoints
    while true {
      let hasWaited = start.duration(to: SystemHost.current.instant()) >= limit
      if let folder = try StateFolder.enter(location, isShort: isShort) {
        guard case .ended(let owner) = folder.lock.former, !owner.identity.isOfThisHost else {
          return folder
        }
        // The names of the checkpoints change while another process works.
        if hasWaited && limit > .zero && signs == location.checkpoints { return folder }
        folder.lock.abandon()
      }
      guard !hasWaited else {
        throw MigrationError.locked(
          stateDirectory: location.path,
          owner: StateLock.owner(in: location.path)
        )
      }
      try stopIfRequested()
      SystemThread.pause(Self.pause)
    }
  }
}

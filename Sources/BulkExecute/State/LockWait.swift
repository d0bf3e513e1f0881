internal import Foundation

/// How long the lock of a state directory is waited for.
struct LockWait {
  private let limit: Duration
  private static let pause = 0.1

  init(_ limit: Duration) { self.limit = limit }

  /// Takes the lock of a folder as soon as it is free.
  ///
  /// A lock that a process of another machine has left may be in use although it seems to be free, on
  /// a file system that keeps locks to one machine. It counts as free when there is no sign of life as
  /// long as is waited.
  ///
  /// - Throws: ``MigrationError/locked(stateDirectory:owner:)``, ``FileError``, and what `meanwhile`
  ///   throws.
  func lock(_ folder: String, _ meanwhile: () throws -> Void) throws -> StateLock {
    let start = ContinuousClock.now
    let signs = Self.signsOfLife(in: folder)
    while true {
      let hasWaited = start.duration(to: .now) >= limit
      if let lock = try StateLock(
        folder,
        hasState: StateLocation(stateDirectory: folder).hasCheckpoints
      ) {
        guard case .ended(let owner) = lock.former, !owner.isOfThisHost else { return lock }
        let isQuiet = signs == Self.signsOfLife(in: folder)
        if hasWaited && limit > .zero && isQuiet { return lock }
        lock.abandon()
      }
      guard !hasWaited else {
        throw MigrationError.locked(stateDirectory: folder, owner: StateLock.owner(in: folder))
      }
      try meanwhile()
      Thread.sleep(forTimeInterval: Self.pause)
    }
  }

  /// The names of the checkpoints, which change as long as somebody works.
  private static func signsOfLife(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("checkpoint-") }.sorted()
  }
}

internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The folder beside the destination in which a migration works, `<destination>.bulkmigrate`.
///
/// It is held by one process at a time. An attempt writes only to files that it makes itself, under
/// names that no other attempt uses.
final class StateDirectory {
  /// Where the folder lies.
  let path: String
  /// The name of this attempt, which no other has.
  private(set) var attempt: String
  private let lock: Int32

  /// Makes or enters the folder of a destination and locks it.
  ///
  /// - Throws: ``MigrationError/locked(stateDirectory:)`` if a live process holds the folder.
  init(for destination: String) throws(MigrationError) {
    path = Self.path(for: destination)
    attempt = UUID().uuidString
    if !DurableFiles.exists(path) {
      do {
        try DurableFiles.makeDirectory(path)
      } catch {
        throw error.asMigrationError
      }
    }
    lock = try Self.lock(path)
  }

  /// Where the folder of a destination lies.
  static func path(for destination: String) -> String { destination + ".bulkmigrate" }

  /// The checkpoints.
  var checkpoints: CheckpointFiles { CheckpointFiles(in: path) }

  /// Goes on with the files of an attempt whose process is gone.
  func takeOver(_ checkpoint: Checkpoint) { attempt = checkpoint.attempt }

  /// Removes what earlier attempts left: they ended without publishing, so it counts for nothing.
  ///
  /// - Parameter plan: The digest of the plan, where the attempt that begins can be gone on with.
  /// - Throws: ``FileError`` if the first checkpoint cannot be written.
  func begin(_ plan: String?) throws {
    removeLeftovers()
    checkpoints.remove()
    unlink(violations)
    guard let plan else { return }
    try checkpoints.publish(Checkpoint(plan: plan, attempt: attempt, transaction: 0, rows: 0))
  }

  private static func lock(_ path: String) throws(MigrationError) -> Int32 {
    let name = path + "/lock"
    let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError.last(name).asMigrationError }
    // The system releases the lock when its owner ends, however it ends.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .locked(stateDirectory: path)
    }
    return descriptor
  }

  /// The unfinished store of this attempt.
  var scratchStore: String { scratchStore(of: attempt) }

  /// The unfinished store of an attempt.
  func scratchStore(of attempt: String) -> String { "\(path)/destination-\(attempt).sqlite" }

  /// The unfinished folder of external binary data of this attempt.
  var scratchExternalData: String { "\(path)/external-\(attempt)" }

  /// The file with everything that validation found wrong.
  var violations: String { "\(path)/violations.jsonl" }

  /// Whether the folder stays, with the report of what is wrong.
  var keepsReport = false

  /// Removes the folder with all that is in it; a report of what is wrong stays, and the folder with
  /// it.
  func remove() {
    removeLeftovers()
    checkpoints.remove()
    if !keepsReport { unlink(violations) }
    unlink(path + "/lock")
    rmdir(path)
    close(lock)
  }

  /// Leaves the folder as it is, to be gone on with.
  func leave() { close(lock) }

  /// Removes what this attempt has written so far.
  func removeScratch() {
    removeLeftovers()
    checkpoints.remove()
  }

  private static let prefixes = ["destination-", "external-", "associations-", "draft-"]

  private func removeLeftovers() {
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: path)) ?? []
    for name in names where Self.prefixes.contains(where: name.hasPrefix) {
      try? manager.removeItem(atPath: "\(path)/\(name)")
    }
  }
}

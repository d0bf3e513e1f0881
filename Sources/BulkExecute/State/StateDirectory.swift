internal import BulkCoding
internal import BulkPlan
internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The folder in which a migration works, `<destination>.bulkmigrate` or another.
///
/// It is held by one process at a time. An attempt writes only to files that it makes itself, under
/// names that no other attempt uses, or to those of an attempt whose process is certain to be gone.
final class StateDirectory {
  /// Where the folder lies.
  let path: String
  /// The checkpoints.
  let checkpoints: CheckpointFiles
  /// The name of this attempt, which no other has.
  private(set) var attempt = UUID().uuidString
  /// Whether the folder stays, with the report of what is wrong.
  var keepsReport = false

  private let folder: DurableDirectory
  private let lock: StateLock
  private let location: StateLocation

  /// Makes or enters a folder and locks it.
  ///
  /// - Parameters:
  ///   - location: Where the folder lies.
  ///   - wait: How long a lock of another process is waited for.
  ///   - memoryLimit: The memory that this process may hold.
  ///   - meanwhile: Is called while the lock is waited for; what it throws ends the wait.
  /// - Throws: ``MigrationError/locked(stateDirectory:owner:)`` if another process keeps the folder.
  init(
    _ location: StateLocation,
    wait: LockWait,
    memoryLimit: ByteCount,
    _ meanwhile: () throws -> Void
  ) throws {
    self.location = location
    path = location.path
    do {
      if !DurableFiles.exists(path) {
        try DurableFiles.makeDirectory(path)
        try DurableFiles.synchronize(location.parent)
      }
      location.point()
      lock = try wait.lock(path, meanwhile)
      folder = try DurableDirectory(path)
      checkpoints = CheckpointFiles(in: folder)
      if !mustCopy { try lock.name(StateOwner(memoryLimit: memoryLimit)) }
    } catch let error as FileError {
      throw error.asMigrationError
    }
  }

  /// Whether what the former process wrote may only be copied, because nobody knows that it is gone.
  var mustCopy: Bool {
    switch lock.former {
    case .none: false
    case .ended(let owner): !owner.isProvablyGone
    case .unknown: true
    }
  }

  /// Whether another attempt has taken the folder over, so that nothing of this one counts.
  var isOvertaken: Bool { checkpoints.isOvertaken }

  /// Goes on with the files of an attempt whose process is gone.
  func takeOver(_ checkpoint: Checkpoint) { attempt = checkpoint.attempt }

  /// Writes down who holds the folder, once the files of the former owner are left behind.
  func nameOwner(memoryLimit: ByteCount) throws {
    do {
      try lock.name(StateOwner(memoryLimit: memoryLimit))
    } catch {
      throw error.asMigrationError
    }
  }

  /// Begins anew; what earlier attempts left counts for nothing.
  ///
  /// - Parameter plan: The plan, where the attempt that begins can be gone on with.
  /// - Throws: ``FileError`` if the first checkpoint cannot be written.
  func begin(_ plan: MigrationPlan?) throws {
    attempt = UUID().uuidString
    if let plan {
      try folder.write(try plan.encoded(), to: StateLocation.planName)
      let first = Checkpoint(plan: plan.fingerprint, attempt: attempt, transaction: 0, rows: 0)
      try checkpoints.publish(first)
    } else {
      checkpoints.remove()
    }
    removeLeftovers(keeping: [])
  }

  /// The unfinished store of this attempt.
  var scratchStore: String { scratchStore(of: attempt) }

  /// The unfinished store of an attempt.
  func scratchStore(of attempt: String) -> String { "\(path)/destination-\(attempt).sqlite" }

  /// The unfinished folder of external binary data of this attempt.
  var scratchExternalData: String { "\(path)/external-\(attempt)" }

  /// The file with everything that this attempt's validation found wrong.
  var violations: String { violations(of: attempt) }

  /// The file with everything that an attempt's validation found wrong.
  func violations(of attempt: String) -> String { "\(path)/violations-\(attempt).jsonl" }

  /// The file with everything that was found wrong, once the attempt has ended.
  var report: String { "\(path)/violations.jsonl" }

  /// The store that a step of a route makes, by the step's place from 0.
  func store(ofStep index: Int) -> String { "\(path)/step-\(index + 1).sqlite" }

  /// Removes the folder with all that is in it but a report of what is wrong.
  ///
  /// - Parameter finished: The last checkpoint of a migration that is done, where a receipt is wanted;
  ///   it stays, and the folder with it.
  /// - Throws: ``MigrationError`` if the receipt cannot be written.
  func remove(keeping finished: Checkpoint?) throws(MigrationError) {
    if let finished { try leaveReceipt(finished) }
    if keepsReport { rename(violations, report) } else { unlink(report) }
    removeLeftovers(keeping: [])
    checkpoints.remove()
    unlink("\(path)/\(StateLocation.planName)")
    lock.remove()
    rmdir(path)
    location.removePointer()
  }

  private func leaveReceipt(_ finished: Checkpoint) throws(MigrationError) {
    do {
      try checkpoints.leaveReceipt(finished)
    } catch let error as FileError {
      throw error.asMigrationError
    } catch {
      throw .inputOutput(path: path, reason: "\(error)")
    }
  }

  /// Leaves the folder as it is, to be gone on with.
  func leave() { lock.release() }

  /// Lets go of a folder that another attempt has taken over.
  func abandon() { lock.abandon() }

  /// Removes what an interruption while a folder was removed may leave, unless somebody works there or a
  /// receipt or a report lies there.
  static func tidy(_ location: StateLocation) {
    let path = location.path
    let kept = ["\(path)/\(Receipt.name)", "\(path)/violations.jsonl"]
    guard
      DurableFiles.exists(path), !kept.contains(where: DurableFiles.exists),
      let lock = try? StateLock(path, hasState: false)
    else { return }
    removeLeftovers(in: path, keeping: [])
    unlink(location.planPath)
    lock.remove()
    rmdir(path)
    location.removePointer()
  }

  private static let prefixes = [
    "destination-", "external-", "associations-", "violations-", "draft-", "step-", ".step-",
  ]

  /// Removes what attempts have left but some files.
  func removeLeftovers(keeping kept: Set<String>) {
    Self.removeLeftovers(in: path, keeping: kept)
  }

  private static func removeLeftovers(in path: String, keeping kept: Set<String>) {
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: path)) ?? []
    for name in names where prefixes.contains(where: name.hasPrefix) && !kept.contains(name) {
      try? manager.removeItem(atPath: "\(path)/\(name)")
    }
  }
}

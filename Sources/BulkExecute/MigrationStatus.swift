public import BulkCoding
public import BulkPlan
internal import Foundation

/// Where a migration stands, read from its state directory by whoever wants to know.
public struct MigrationStatus: Hashable, Sendable {
  /// What is going on.
  public enum State: String, Codable, Hashable, Sendable {
    /// There is nothing: no migration was begun, or its folder is gone with its end.
    case none
    /// A process works on it.
    case running
    /// It was interrupted, and can be gone on with.
    case interrupted
    /// It was interrupted before its first checkpoint; it begins anew.
    case abandoned
    /// It is done, and its receipt was kept.
    case done
  }

  /// What is going on.
  public var state: State
  /// The state directory.
  public var stateDirectory: String
  /// The bytes that the files in it take.
  public var size = ByteCount.zero
  /// The process that holds it, or held it last.
  public var owner: StateOwner?
  /// The number of the last checkpoint.
  public var checkpoint: Int64?
  /// The rows that are written, as the last checkpoint says.
  public var rowsDone: Int64?
  /// Whether the store is whole and has only to be published.
  public var isFinished = false
  /// The plan that is carried out.
  public var plan: MigrationPlan?

  /// Reads the state of a migration; nothing is locked and nothing changed.
  public init(_ location: StateLocation) {
    stateDirectory = location.path
    state = .none
    let manager = FileManager.default
    guard DurableFiles.exists(location.path) else { return }
    plan = try? MigrationPlan(contentsOf: location.planPath)
    if let data = manager.contents(atPath: "\(location.path)/\(Receipt.name)"),
      let finished = Checkpoint(data)
    {
      state = .done
      take(finished)
    }
    size = Self.size(of: location.path)
    owner = StateLock.owner(in: location.path)
    let isHeld = StateLock.isHeld(in: location.path)
    if let newest = newest(location) {
      state = isHeld ? .running : .interrupted
      take(newest)
      if plan?.route != nil { rowsDone = newest.rows + rowsOfStep(newest.transaction, location) }
    } else if isHeld {
      state = .running
    } else if state == .none, owner != nil {
      state = .abandoned
    }
  }

  /// The rows to write, in all steps.
  public var rowsTotal: Int64? { plan?.rowsOfAllLegs }

  /// The rows that the step after some steps has written.
  private func rowsOfStep(_ done: Int64, _ location: StateLocation) -> Int64 {
    let step = StateLocation(stateDirectory: location.state(ofStep: Int(done)))
    return MigrationStatus(step).rowsDone ?? 0
  }

  private func newest(_ location: StateLocation) -> Checkpoint? {
    guard let plan, let folder = try? DurableDirectory(location.path) else { return nil }
    return CheckpointFiles(in: folder).all(of: plan.fingerprint).first
  }

  private mutating func take(_ found: Checkpoint) {
    checkpoint = found.number
    rowsDone = found.rows
    isFinished = found.isFinished
  }

  private static func size(of folder: String) -> ByteCount {
    var bytes: Int64 = 0
    let names = FileManager.default.enumerator(atPath: folder)
    while let name = names?.nextObject() as? String {
      bytes += (try? DurableFiles.size(of: "\(folder)/\(name)")) ?? 0
    }
    return ByteCount(bytes: bytes)
  }
}

internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The checkpoints in a state directory, `checkpoint-<number>`.
struct CheckpointFiles {
  private static let prefix = "checkpoint-"
  private let folder: String

  init(in folder: String) { self.folder = folder }

  /// Writes a checkpoint under another name, syncs it and publishes it by put-if-absent; older ones than
  /// the one before it are removed.
  func publish(_ checkpoint: Checkpoint) throws {
    let name = "\(folder)/\(Self.prefix)\(checkpoint.transaction)"
    let draft = "\(folder)/draft-\(checkpoint.attempt)"
    try DurableFiles.write(try checkpoint.encoded(), to: draft)
    do throws(FileError) {
      try DurableFiles.publish(draft, as: name)
    } catch {
      // The transaction of that number was never committed, so nothing refers to what is there.
      guard error.code == EEXIST else { throw error }
      try DurableFiles.move(draft, to: name)
    }
    unlink(draft)
    try DurableFiles.synchronize(folder)
    for number in numbers where number < checkpoint.transaction - 1 {
      unlink("\(folder)/\(Self.prefix)\(number)")
    }
  }

  /// The valid checkpoints of a plan, the newest first.
  func all(of plan: String) -> [Checkpoint] {
    numbers.sorted(by: >).compactMap { number in
      let url = URL(fileURLWithPath: "\(folder)/\(Self.prefix)\(number)")
      guard
        let data = try? Data(contentsOf: url), let checkpoint = Checkpoint(data),
        checkpoint.plan == plan, checkpoint.transaction == number
      else { return nil }
      return checkpoint
    }
  }

  /// The number of the last one; 0 where there is none.
  var last: Int64 { numbers.max() ?? 0 }

  /// Whether there are any, valid or not.
  var areThere: Bool { !numbers.isEmpty }

  /// Removes all of them.
  func remove() {
    for number in numbers { unlink("\(folder)/\(Self.prefix)\(number)") }
  }

  private var numbers: [Int64] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(Self.prefix) }
      .compactMap { Int64($0.dropFirst(Self.prefix.count)) }
  }
}

internal import BulkExecute
internal import BulkPlatform

/// The bins of a fleet that several processes divide among themselves, on one machine or on many.
///
/// They share a file: a line with the fleet's fingerprint, then a byte for each bin. Whoever works at a bin locks its
/// byte, so the bin of a process that has ended is free again.
package final class BinQueue {
  /// What a process finds a bin to be.
  enum State {
    /// It is this process's now.
    case taken
    case held
    case ended
  }

  private static let free = UInt8(ascii: "-")
  /// All stores of the bin are done.
  private static let done = UInt8(ascii: "d")
  /// All are, or have failed for good.
  private static let failed = UInt8(ascii: "f")

  private let path: String
  private let descriptor: Int32
  /// The place of the first bin's byte.
  private let start: Int
  /// The bytes of the bins that an earlier run has ended, by whose errors a bin is tried again.
  private var before: [UInt8] = []
  /// The bins of this process that can end: how many stores are left, and how the bin ends.
  private var own: [Int: (left: Int, end: UInt8)] = [:]

  /// Opens the file, or makes it.
  ///
  /// - Throws: ``FleetError/badQueue(path:)`` if it is another fleet's, or no queue,
  ///   ``FleetError/cannotWrite(path:reason:)``.
  package init(_ path: String, of fleet: FleetPlan) throws(FleetError) {
    self.path = path
    descriptor = try OutputLines.opened(path) { file throws(FileError) in try file.openToChange() }
    let line = Array("\(fleet.fingerprint)\n".utf8)
    start = line.count
    let fresh = line + [UInt8](repeating: Self.free, count: fleet.stores.bins)
    // One process writes the bytes; others wait for it, and complete what a killed one has left.
    guard lock(0, F_WRLCK, F_SETLKW) else { throw OutputLines.failure(path) }
    let contents = FileReading.rest(of: descriptor) ?? []
    if fresh.starts(with: contents) {
      let rest = Array(fresh[contents.count...])
      guard FileWriting.write(rest, to: descriptor) else { throw OutputLines.failure(path) }
    } else if !contents.starts(with: line) || contents.count != fresh.count {
      throw .badQueue(path: path)
    }
    before = Array(contents.dropFirst(line.count))
    _ = lock(0, F_UNLCK, F_SETLK)
  }

  deinit { close(descriptor) }

  /// Takes a bin, from 1, with so many stores, unless another process has it.
  func take(_ bin: Int, stores: Int) -> State {
    guard lock(start + bin - 1, F_WRLCK, F_SETLK) else { return .held }
    var byte = Self.free
    // The call writes one byte.
    _ = unsafe pread(descriptor, &byte, 1, start + bin - 1)
    let wasTried =
      byte == Self.failed && before.indices.contains(bin - 1) && before[bin - 1] == byte
    guard byte == Self.free || wasTried else {
      _ = lock(start + bin - 1, F_UNLCK, F_SETLK)
      return .ended
    }
    own[bin] = (stores, Self.done)
    return .taken
  }

  /// Notes how the last attempt at a store of a bin went; the bin ends when no store needs another one.
  ///
  /// - Throws: ``FleetError/cannotWrite(path:reason:)``.
  func note(_ bin: Int, _ result: StoreResult) throws(FleetError) {
    guard var state = own[bin] else { return }
    state.left -= 1
    if result.failure == .permanent { state.end = Self.failed }
    let isEnd = result.outcome.isEnd || result.failure == .permanent
    own[bin] = isEnd && state.left > 0 ? state : nil
    guard isEnd, state.left == 0 else { return }
    // The call reads one byte.
    guard unsafe pwrite(descriptor, [state.end], 1, start + bin - 1) == 1 else {
      throw OutputLines.failure(path)
    }
    _ = lock(start + bin - 1, F_UNLCK, F_SETLK)
  }

  /// Locks or unlocks a byte.
  private func lock(_ place: Int, _ type: Int32, _ command: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_start = off_t(place)
    lock.l_len = 1
    // The call reads the lock and does not keep it.
    return unsafe fcntl(descriptor, command, &lock) == 0
  }
}

internal import BulkExecute
internal import BulkPlatform

/// The bins of a fleet that several processes divide among themselves, on one machine or on many.
///
/// They share a file: a line with the fleet's fingerprint, then a byte for each bin. Whoever works at a bin locks its
/// byte, so the bin of a process that has ended is free again.
package final class BinQueue {
  /// The state of a bin when a process tries to take it.
  enum State {
    case taken
    case held
    case ended
  }

  private static let free = UInt8(ascii: "-")
  /// All stores of the bin are done.
  private static let done = UInt8(ascii: "d")
  /// All are, or have failed for good.
  private static let failed = UInt8(ascii: "f")

  /// Whether a process that finds no free bin helps with those that others hold.
  let helps: Bool
  private let path: String
  private let descriptor: Int32
  /// The place of the first bin's byte.
  private let start: Int
  /// The numbers of the bins, from 1.
  private let numbers: Range<Int>
  /// The bins that had failed before this process began, which tries them again.
  private var failedBefore: Set<Int> = []
  /// The bins of this process that can end: how many stores are left, and how the bin ends.
  private var unfinished: [Int: (left: Int, end: UInt8)] = [:]
  /// The bins that this process has left to another run, because of failures that may pass.
  private var givenUp: Set<Int> = []

  /// Opens the file, or makes it.
  ///
  /// Staged stores have no lock that other hosts see: there each bin is left to whoever holds it.
  ///
  /// - Throws: ``FleetError``, also if it is another fleet's, or no queue.
  package init(_ path: String, of fleet: FleetPlan, helps: Bool = true) throws(FleetError) {
    (self.path, self.helps) = (path, helps)
    descriptor = try FleetError.writing(path, try OutputFile(path).openToChange())
    let line = Array("\(fleet.fingerprint)\n".utf8)
    (start, numbers) = (line.count, 1..<max(fleet.stores.bins, 0) + 1)
    let new = line + [UInt8](repeating: Self.free, count: numbers.count)
    // One process writes the bytes; others wait for it, and complete what a killed one has left.
    guard try lock(0, F_WRLCK, F_SETLKW) else { throw .cannotWrite(path: path) }
    let found = FileReading.bytes(of: descriptor, upTo: new.count + 1) ?? []
    if new.starts(with: found) {
      let missing = Array(new[found.count...])
      guard FileWriting.write(missing, to: descriptor) else { throw .cannotWrite(path: path) }
    } else if !found.starts(with: line) || found.count != new.count {
      throw isOfOther
    }
    for bin in numbers {
      if try byte(of: bin) == Self.failed { failedBefore.insert(bin) }
    }
    try unlock(0)
  }

  deinit { close(descriptor) }

  /// Takes a bin, from 1, with so many stores, unless another process has it.
  ///
  /// - Throws: ``FleetError``.
  func take(_ bin: Int, stores: Int) throws(FleetError) -> State {
    guard try lock(start + bin - 1, F_WRLCK, F_SETLK) else { return .held }
    guard try !hasEnded(bin) else {
      try unlock(start + bin - 1)
      return .ended
    }
    if failedBefore.remove(bin) != nil { try write(Self.free, of: bin) }
    unfinished[bin] = (stores, Self.done)
    return .taken
  }

  /// Whether a bin has ended, but for one that this process tries again.
  func hasEnded(_ bin: Int) throws(FleetError) -> Bool {
    try byte(of: bin) != Self.free && !failedBefore.contains(bin)
  }

  /// Takes the result of the last attempt at a store of a bin; returns whether that ends the bin.
  func ends(_ bin: Int, with result: StoreResult) -> Bool {
    guard var state = unfinished[bin] else { return false }
    state.left -= 1
    if result.failure == .permanent { state.end = Self.failed }
    let isEnd = result.outcome.isEnd || result.failure == .permanent
    if !isEnd, result.failure != nil { givenUp.insert(bin) }
    unfinished[bin] = isEnd ? state : nil
    return isEnd && state.left == 0
  }

  /// Ends a bin, when its results are on the disk.
  ///
  /// - Throws: ``FleetError``.
  func end(_ bin: Int) throws(FleetError) {
    guard let state = unfinished.removeValue(forKey: bin) else { return }
    try write(state.end, of: bin)
    try unlock(start + bin - 1)
  }

  /// Whether bins have not ended, but for those that this process has given up, and whether stores of some failed.
  ///
  /// - Throws: ``FleetError``.
  func remainder() throws(FleetError) -> (isLeft: Bool, hasFailures: Bool) {
    var (isLeft, hasFailures) = (false, false)
    for bin in numbers {
      let byte = try byte(of: bin)
      isLeft = isLeft || byte == Self.free && !givenUp.contains(bin)
      hasFailures = hasFailures || byte == Self.failed
    }
    return (isLeft, hasFailures)
  }

  /// The error for a file that is not a queue, or belongs to another fleet.
  private var isOfOther: FleetError {
    FleetError(
      StoreResult.Code.cannotCreate,
      "\(path) is not the queue of this fleet; remove it, or name a new file with --queue"
    )
  }

  private func byte(of bin: Int) throws(FleetError) -> UInt8 {
    var byte: UInt8 = 0
    // The call writes one byte.
    guard unsafe pread(descriptor, &byte, 1, start + bin - 1) == 1,
      [Self.free, Self.done, Self.failed].contains(byte)
    else { throw isOfOther }
    return byte
  }

  private func write(_ byte: UInt8, of bin: Int) throws(FleetError) {
    // The call reads one byte.
    guard unsafe pwrite(descriptor, [byte], 1, start + bin - 1) == 1 else {
      throw .cannotWrite(path: path)
    }
  }

  private func unlock(_ place: Int) throws(FleetError) { _ = try lock(place, F_UNLCK, F_SETLK) }

  /// Locks or unlocks a byte; returns whether no other process has locked it.
  private func lock(
    _ place: Int,
    _ type: Int32,
    _ command: Int32
  ) throws(FleetError) -> Bool {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_start = off_t(place)
    lock.l_len = 1
    // The call reads the lock and does not keep it.
    if unsafe fcntl(descriptor, command, &lock) == 0 { return true }
    guard errno == EAGAIN || errno == EACCES else { throw .cannotWrite(path: path) }
    return false
  }
}

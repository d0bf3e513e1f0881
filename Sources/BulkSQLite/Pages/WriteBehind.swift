internal import BulkSupport
internal import CBulkSQLite
internal import Synchronization

/// Writes pages to a file on a thread of its own, in the order in which they are handed over.
///
/// If they are recorded, it computes their digests, and lets the system put them on disk without waiting for a commit.
final class WriteBehind {
  struct Part: Sendable {
    let offset: Int64
    var bytes: [UInt8]
    let count: Int
    /// The digest of each page, where they are recorded.
    fileprivate(set) var digests: [UInt64] = []
  }

  private let work: Work
  private let descriptor: Int32

  private static let stackBytes = 1 << 19

  /// Begins to write behind; `nil` if a thread cannot start, or the file cannot be opened.
  ///
  /// The file stays open until the last reference to this is gone.
  init?(_ path: String, _ layout: PageLayout, isRecorded: Bool) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard let work = Work(path, descriptor, layout, isRecorded: isRecorded),
      SystemThread.start(stackBytes: Self.stackBytes, { work.run() })
    else {
      close(descriptor)
      return nil
    }
    self.work = work
    self.descriptor = descriptor
  }

  deinit {
    _ = work.drain()
    work.end()
    close(descriptor)
  }

  /// Whether the file that it writes still has the name under which it was opened.
  var isNamed: Bool {
    var (mine, named) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, lstat(work.path, &named) == 0 else { return false }
    return mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
  }

  /// Hands a part over; waits until there is space for it.
  func put(_ part: consuming Part) { work.put(part) }

  /// The parts written since the last call; if one could not be written, all later ones are not.
  func written() throws(SQLiteError) -> [Part] { try work.written().get() }

  /// Waits for all parts, and returns those since the last call of this or of ``written()``.
  func drain() throws(SQLiteError) -> [Part] { try work.drain().get() }
}

/// The shared state of the two threads.
private final class Work: Sendable {
  private struct State {
    var waiting: [WriteBehind.Part] = []
    var written: [WriteBehind.Part] = []
    var failure: SQLiteError?
    var isEnded = false
  }

  let path: String
  private let descriptor: Int32
  private let layout: PageLayout
  private let isRecorded: Bool
  private let state = Mutex(State())
  /// Counts the parts that may be handed over, and those that wait.
  private let free: SystemSemaphore
  private let waiting: SystemSemaphore

  /// The parts that are held at once.
  private static let slots = 2

  init?(_ path: String, _ descriptor: Int32, _ layout: PageLayout, isRecorded: Bool) {
    guard let free = SystemSemaphore(Self.slots), let waiting = SystemSemaphore() else {
      return nil
    }
    self.path = path
    self.descriptor = descriptor
    self.layout = layout
    self.isRecorded = isRecorded
    self.free = free
    self.waiting = waiting
  }

  func put(_ part: WriteBehind.Part) {
    assert(
      part.offset > 0 && part.offset.isMultiple(of: Int64(layout.pageSize))
        && part.count.isMultiple(of: layout.pageSize) && part.count <= part.bytes.count,
      "only whole pages are written"
    )
    free.wait()
    state.withLock { $0.waiting.append(part) }
    waiting.signal()
  }

  func written() -> Result<[WriteBehind.Part], SQLiteError> {
    state.withLock { state in
      if let failure = state.failure { return .failure(failure) }
      defer { state.written = [] }
      return .success(state.written)
    }
  }

  func drain() -> Result<[WriteBehind.Part], SQLiteError> {
    for _ in 0..<Self.slots { free.wait() }
    for _ in 0..<Self.slots { free.signal() }
    return written()
  }

  func end() {
    state.withLock { $0.isEnded = true }
    waiting.signal()
  }

  /// The bytes after which the system begins to put them on disk, so that the final sync is short, and the bytes that it
  /// may have begun.
  private static let (bytesAtOnce, bytesBegun): (Int, Int64) = (1 << 20, 32 << 20)

  func run() {
    var waitingBytes = 0
    while true {
      waiting.wait()
      let next = state.withLock { state -> (part: WriteBehind.Part, isWanted: Bool)? in
        guard !state.isEnded, !state.waiting.isEmpty else { return nil }
        return (state.waiting.removeFirst(), state.failure == nil)
      }
      guard let next else { return }
      if next.isWanted { write(next.part) }
      waitingBytes += next.part.count
      if isRecorded, waitingBytes >= Self.bytesAtOnce {
        writeBack(next.part.offset - Self.bytesBegun)
        waitingBytes = 0
      }
      // A waiter for all parts may close the file then.
      free.signal()
    }
  }

  private func write(_ part: WriteBehind.Part) {
    var part = part
    let isWritten = part.bytes.withUnsafeBytes { bytes in
      PositionalWriting.write(bytes.part(0..<part.count), to: descriptor, at: part.offset)
    }
    guard isWritten else {
      let failure = PositionalWriting.failure("it cannot be written", path: path)
      return state.withLock { $0.failure = failure }
    }
    if isRecorded { part.digests = digests(of: part) }
    let done = part
    state.withLock { $0.written.append(done) }
  }

  private func writeBack(_ done: Int64) {
    // Where the call is forbidden or unknown, the sync of the commit does it all.
    guard bulk_write_back(descriptor, done) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) else {
      return
    }
    let failure = PositionalWriting.failure("it cannot be synced", path: path)
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  private func digests(of part: WriteBehind.Part) -> [UInt64] {
    let pageSize = layout.pageSize
    return part.bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: part.count, by: pageSize).map { start in
        PageRecord.digest(
          of: bytes.part(start..<start + pageSize),
          number: UInt32((part.offset + Int64(start)) / Int64(pageSize) + 1)
        )
      }
    }
  }
}

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
  /// The only strong reference, so that it is closed with this.
  private let file: PlainFile

  private static let stackBytes = 1 << 19

  /// Begins to write behind; `nil` if a thread cannot start, or the file cannot be opened.
  ///
  /// The file stays open until the last reference to this is gone.
  init?(_ path: String, _ layout: PageLayout, isRecorded: Bool) {
    guard let file = try? PlainFile(path: path, PlainFile.own),
      let work = Work(file, layout, isRecorded: isRecorded),
      SystemThread.start(stackBytes: Self.stackBytes, { work.run() })
    else { return nil }
    (self.work, self.file) = (work, file)
  }

  deinit {
    _ = work.drain()
    work.end()
  }

  /// Whether the file that it writes still has the name under which it was opened.
  var isNamed: Bool { file.isNamed }

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

  private unowned let file: PlainFile
  private let layout: PageLayout
  private let isRecorded: Bool
  private let state = Mutex(State())
  /// Counts the parts that may be handed over, and those that wait.
  private let free: SystemSemaphore
  private let waiting: SystemSemaphore

  /// The parts that are held at once.
  private static let slots = 2

  init?(_ file: PlainFile, _ layout: PageLayout, isRecorded: Bool) {
    guard let free = SystemSemaphore(Self.slots), let waiting = SystemSemaphore() else {
      return nil
    }
    self.file = file
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
    do throws(SQLiteError) {
      try part.bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
        try file.write(bytes.part(0..<part.count), at: part.offset)
      }
    } catch {
      return state.withLock { $0.failure = error }
    }
    if isRecorded { part.digests = digests(of: part) }
    let done = part
    state.withLock { $0.written.append(done) }
  }

  private func writeBack(_ done: Int64) {
    // Where the call is forbidden or unknown, the sync of the commit does it all.
    guard bulk_write_back(file.descriptor, done) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) else {
      return
    }
    let failure = file.failure("it cannot be synced")
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

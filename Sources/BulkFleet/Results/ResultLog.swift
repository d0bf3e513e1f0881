internal import BulkSupport
internal import BulkExecute

/// The file of results, to which one process appends a line for every attempt at a store, and beside it the file of
/// attempts that were begun.
///
/// Lines are written at once, and synced together twice a second at most: the receipts of the stores are what counts.
package final class ResultLog {
  package let path: String
  private let results: OpenFile
  private let starts: OpenFile
  private var lastSync = SystemHost.current.instant()
  private var isSynced = true

  private static let syncInterval = Duration.milliseconds(500)

  static func startsPath(_ path: String) -> String { path + ".starts" }

  /// Opens the files, or makes them; a last line that a kill cut off is removed.
  ///
  /// Fails if another process has them.
  package init(_ path: String) throws(FleetError) {
    self.path = path
    for path in [path, Self.startsPath(path)] { try Self.refuseOther(path) }
    results = try FleetError.writing(path, try OutputFile(path).openToAdd())
    guard try FleetError.writing(path, try results.lock(LOCK_EX)) else {
      throw FleetError(
        StoreResult.Code.locked,
        "another process writes results to \(path); wait for it, or name another file"
      )
    }
    starts = try FleetError.writing(path, try OutputFile(Self.startsPath(path)).openToAdd())
    for file in [results, starts] {
      try FleetError.writing(file.path, try Self.cutTornLine(file))
    }
  }

  static func isHeld(_ path: String) -> Bool {
    (try? OpenFile(reading: path).lock(LOCK_SH)) == false
  }

  /// Refuses a file with anything but lines of JSON.
  private static func refuseOther(_ path: String) throws(FleetError) {
    guard !OutputFile(path).isStream else {
      throw .cannotWrite(path: path, reason: "it is a named pipe, a socket or a device")
    }
    guard isOfLines(path) else {
      throw .cannotWrite(path: path, reason: "it already exists, and holds no results")
    }
  }

  private static func isOfLines(_ path: String) -> Bool {
    let beginning = FileReading.beginning(of: path, count: 2) ?? []
    return beginning.isEmpty || beginning.elementsEqual("{\"".utf8)
  }

  private static func cutTornLine(_ file: OpenFile) throws(FileError) {
    var end = Int(try file.status().st_size)
    while end > 0 {
      let start = max(0, end - 4096)
      let part = try file.read(end - start, at: start)
      if let last = part.lastIndex(of: UInt8(ascii: "\n")) {
        end = start + last + 1
        break
      }
      end = start
    }
    try file.truncate(to: end)
  }

  package func begin(_ id: String) throws(FleetError) {
    try write("{\"id\":\(JSONText.quoted(id))}\n", to: starts)
    Failpoint.reached(.jobNoted)
  }

  /// Records that an attempt has ended, however it did.
  func end(_ id: String) throws(FleetError) {
    try write("{\"ended\":\(JSONText.quoted(id))}\n", to: starts)
    Failpoint.reached(.endNoted)
  }

  package func append(_ result: StoreResult) throws(FleetError) {
    let line: String
    do {
      line = try StableJSON.line(result)
    } catch {
      throw .cannotWrite(path: path, reason: "\(error)")
    }
    try write(line + "\n", to: results)
    Failpoint.reached(.resultNoted)
  }

  private func write(_ line: String, to file: OpenFile) throws(FleetError) {
    try FleetError.writing(file.path, try file.write(Array(line.utf8)))
    isSynced = false
    let now = SystemHost.current.instant()
    if lastSync.duration(to: now) >= Self.syncInterval { try synchronize() }
  }

  /// Waits until everything written is on the disk.
  package func synchronize() throws(FleetError) {
    guard !isSynced else { return }
    guard fdatasync(results.descriptor) == 0, fdatasync(starts.descriptor) == 0 else {
      throw .cannotWrite(path: path)
    }
    isSynced = true
    lastSync = SystemHost.current.instant()
  }
}

extension ResultLog {
  /// The attempts of each store, by the hash of its id.
  static func attempts(_ path: String) throws(FleetError) -> [Int: Attempts] {
    guard let lines = try? ByteLines(startsPath(path)) else { return [:] }
    var result: [Int: Attempts] = [:]
    while let line = try Manifest.next(lines, startsPath(path)) {
      guard let member = (try? JSONDocument(line))?.root.members?.first,
        let id = member.value.string
      else { continue }
      if member.name == "ended" {
        result[id.hashValue, default: Attempts()].unanswered = 0
      } else {
        result[id.hashValue, default: Attempts()].begin()
      }
    }
    return result
  }

  struct Attempts {
    private(set) var count: Int32 = 0
    /// The last attempts whose end is unknown.
    var unanswered: Int32 = 0

    mutating func begin() {
      count += 1
      unanswered += 1
    }
  }

  /// Reads all results of a file in order, and returns the number of other lines, which are skipped; refuses a file
  /// without any.
  @discardableResult
  package static func read(
    _ path: String,
    _ body: (StoreResult) throws(FleetError) -> Void
  ) throws(FleetError) -> Int {
    let lines = try Manifest.lines(path)
    var (found, skipped) = (0, 0)
    while let line = try Manifest.next(lines, path) {
      if let result = StoreResult(line: line) {
        try body(result)
        found += 1
      } else {
        skipped += 1
      }
    }
    // A kill may have cut off the first line.
    guard found > 0 || skipped == 0 || skipped == 1 && isOfLines(path) else {
      throw FleetError(StoreResult.Code.badData, "\(path) holds no results of a fleet")
    }
    return skipped
  }
}

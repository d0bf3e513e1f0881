public import BulkSupport
public import BulkExecute

/// The run of the same destination, by this process or another.
extension StoreMigration {
  /// How far it is, read from the state directory without locking or changing anything.
  public var status: MigrationRecord { MigrationRecord(stateLocation) }

  /// The report of it as it is now, a page of HTML without scripts and without anything from elsewhere: what becomes
  /// of each entity, what is lost, and as far as it has run, its course.
  ///
  /// - Throws: As ``plan()``, before a run has left a plan.
  public func report() async throws -> String {
    let status = status
    if let plan = status.plan { return ReportPage(status, plan).text }
    return ReportPage(status, try await plan()).text
  }

  /// Whether it was interrupted and can be resumed.
  public var isInterrupted: Bool { status.state == .interrupted }

  /// Pauses the run within a second; it keeps its memory and its lock until ``unpause()``, and can be cancelled.
  ///
  /// - Throws: ``StoreMigrationError``, with the code `nothingToResume` if no process works on it.
  public func pause() throws { try control { $0.isPaused = true } }

  /// Lets it go on after ``pause()``.
  ///
  /// - Throws: As ``pause()``.
  public func unpause() throws { try control { $0.isPaused = false } }

  /// Limits what it writes a second on average, from the next second on.
  ///
  /// - Parameter rate: The bytes of a second, at least 1 KiB; `nil` for unlimited.
  /// - Throws: As ``pause()``.
  public func throttle(to rate: ByteCount?) throws {
    try control { $0.bytesPerSecond = rate.map { max($0.bytes, 1_024) } }
  }

  private func control(_ change: (inout RunControl) -> Void) throws {
    do {
      var control = try RunControl(of: stateLocation)
      change(&control)
      try control.send(to: stateLocation)
    } catch {
      throw StoreMigrationError.translated(error)
    }
  }
}

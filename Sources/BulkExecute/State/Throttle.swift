internal import BulkPlatform

/// A limit of the bytes that this process writes a second.
///
/// Excess bytes are waited for, even after the limit has changed. Unused bytes count for one
/// second.
package struct Throttle {
  private let bytesPerSecond: Double
  /// As of the last check.
  private var written: Int64
  /// The time when the excess over the limit is paid off.
  private var due: ContinuousClock.Instant

  /// The limit that follows another one; `nil` if there is none.
  package init?(after former: Throttle?, bytesPerSecond: Int64?) {
    guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    self.bytesPerSecond = Double(bytesPerSecond)
    written = former?.written ?? ProcessUse.bytesWritten ?? 0
    let now = SystemHost.current.instant()
    let debt = former.map { max(($0.due - now) / .seconds(1), 0) * $0.bytesPerSecond } ?? 0
    due = now + .seconds(debt / self.bytesPerSecond)
  }

  package mutating func mustWait() -> Bool {
    let bytes = ProcessUse.bytesWritten ?? 0
    let now = SystemHost.current.instant()
    due = max(due, now - .seconds(1)) + .seconds(Double(bytes - written) / bytesPerSecond)
    written = bytes
    return due > now
  }
}

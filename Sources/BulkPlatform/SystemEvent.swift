internal import Synchronization

/// An event that happens once, for which other threads wait.
///
/// It is a pipe that holds a byte as soon as the event has happened. Where no pipe can be made, those who
/// wait look again after the longest time they wait at once.
package final class SystemEvent: Sendable {
  private let hasHappened = Atomic(false)
  private let reading: Int32
  private let writing: Int32
  /// The longest single wait in milliseconds.
  private static let longestWait: Int32 = 100

  package init() {
    var ends: [Int32] = [-1, -1]
    // The call fills in two descriptors.
    if unsafe pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }

  /// Lets the event happen.
  package func happen() {
    hasHappened.store(true, ordering: .releasing)
    // A pipe takes a single byte at once.
    unsafe write(writing, [1], 1)
  }

  /// Waits for the event, a tenth of a second at most.
  ///
  /// - Returns: Whether it has happened.
  package func waitShortly() -> Bool {
    guard !hasHappened.load(ordering: .acquiring) else { return true }
    var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    // The system ignores a negative descriptor, and then only waits.
    unsafe poll(&request, 1, Self.longestWait)
    return hasHappened.load(ordering: .acquiring)
  }
}

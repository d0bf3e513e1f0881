/// A count that one thread raises and another one waits for.
///
/// It is a pipe that holds as many bytes as the count; at most some thousands.
package final class SystemSemaphore: Sendable {
  private let reading: Int32
  private let writing: Int32

  /// A semaphore with an initial count; `nil` where no pipe can be made.
  package init?(_ count: Int = 0) {
    var ends: [Int32] = [-1, -1]
    // The call fills in two descriptors.
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
    for _ in 0..<count { signal() }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Raises the count.
  package func signal() {
    // A pipe takes a single byte at once.
    while unsafe write(writing, [1], 1) < 0, errno == EINTR {}
  }

  /// Waits until the count is positive, and lowers it.
  package func wait() {
    var byte: UInt8 = 0
    // The call writes one byte, and keeps no pointer.
    while unsafe read(reading, &byte, 1) < 0, errno == EINTR {}
  }
}

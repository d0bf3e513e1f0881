internal import Synchronization

/// A thread with a stack of a given size.
package final class SystemThread {
  private let body: () -> Void
  private let host = SystemHost.current

  private init(_ body: @escaping () -> Void) { self.body = body }

  /// Waits until the body ends; `false` if there is no memory for such a thread.
  package static func run(stackBytes: Int, _ body: @escaping () -> Void) -> Bool {
    guard let thread = SystemThread(body).start(stackBytes) else { return false }
    return pthread_join(thread, nil) == 0
  }

  /// Does not wait; without memory for such a thread the body runs on this one.
  package static func detach(stackBytes: Int, _ body: @escaping @Sendable () -> Void) {
    if !start(stackBytes: stackBytes, body) { body() }
  }

  /// Does not wait; `false` if there is no memory for such a thread.
  package static func start(stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = SystemThread(body).start(stackBytes) else { return false }
    pthread_detach(thread)
    return true
  }

  package static func pause(_ duration: Duration) {
    let (seconds, fraction) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(fraction / 1_000_000_000))
    var rest = timespec()
    // The call writes what is left of the time, and keeps no pointer.
    while unsafe nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }

  private func start(_ stackBytes: Int) -> pthread_t? {
    // Initialized by C: glibc's type has an initializer in the module that Swift saw first, which may be another one.
    // The attributes outlive the calls. The new thread takes over the reference to this object.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    guard unsafe pthread_attr_init(attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(attributes) }
    guard unsafe pthread_attr_setstacksize(attributes, stackBytes) == 0 else { return nil }
    let reference = unsafe Unmanaged.passRetained(self)
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread,
      attributes,
      { unsafe SystemThread.perform($0) },
      reference.toOpaque()
    )
    guard code == 0 else {
      unsafe reference.release()
      return nil
    }
    return thread
  }

  private static func perform(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let reference = unsafe reference else { return nil }
    let thread = unsafe Unmanaged<SystemThread>.fromOpaque(reference).takeRetainedValue()
    SystemHost.$current.withValue(thread.host) { thread.body() }
    return nil
  }
}

/// An event that happens once, for which other threads wait.
///
/// It is a pipe that holds a byte as soon as the event has happened. If a pipe cannot be made,
/// waiters check again after their longest single wait.
package final class SystemEvent: Sendable {
  private let isSignaled = Atomic(false)
  private let reading: Int32
  private let writing: Int32
  /// In milliseconds.
  private static let longestWait: Int32 = 100

  package init() {
    let ends = ChildProcess.pipe() ?? [-1, -1]
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }

  package func signal() {
    isSignaled.store(true, ordering: .releasing)
    // A pipe takes a single byte at once.
    unsafe write(writing, [1], 1)
  }

  /// A tenth of a second at most; returns whether the event has happened.
  package func waitShortly() -> Bool {
    guard !isSignaled.load(ordering: .acquiring) else { return true }
    var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    // The system ignores a negative descriptor, and then only waits.
    unsafe poll(&request, 1, Self.longestWait)
    return isSignaled.load(ordering: .acquiring)
  }
}

/// A count that one thread raises and another one waits for.
///
/// It is a pipe that holds as many bytes as the count; at most some thousands.
package final class SystemSemaphore: Sendable {
  private let reading: Int32
  private let writing: Int32

  /// `nil` where no pipe can be made.
  package init?(_ count: Int = 0) {
    guard let ends = ChildProcess.pipe() else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for _ in 0..<count { signal() }
  }

  deinit {
    close(reading)
    close(writing)
  }

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

/// A thread with a stack of a given size.
package final class SystemThread {
  private let body: () -> Void

  private init(_ body: @escaping () -> Void) { self.body = body }

  /// Runs a body on a new thread, and waits until it ends.
  ///
  /// - Parameters:
  ///   - stackBytes: The size of the stack in bytes.
  ///   - body: The work of the thread.
  /// - Returns: Whether it ran; there may be no memory for such a thread.
  package static func run(stackBytes: Int, _ body: @escaping () -> Void) -> Bool {
    guard let thread = SystemThread(body).start(stackBytes) else { return false }
    return pthread_join(thread, nil) == 0
  }

  /// Runs a body on a new thread, and does not wait for it.
  ///
  /// Without memory for such a thread the body runs on this one.
  ///
  /// - Parameters:
  ///   - stackBytes: The size of the stack in bytes.
  ///   - body: The work of the thread.
  package static func detach(stackBytes: Int, _ body: @escaping @Sendable () -> Void) {
    if !start(stackBytes: stackBytes, body) { body() }
  }

  /// Runs a body on a new thread, and does not wait for it.
  ///
  /// - Parameters:
  ///   - stackBytes: The size of the stack in bytes.
  ///   - body: The work of the thread.
  /// - Returns: Whether it runs; there may be no memory for such a thread.
  package static func start(stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = SystemThread(body).start(stackBytes) else { return false }
    pthread_detach(thread)
    return true
  }

  /// Suspends this thread.
  package static func pause(_ duration: Duration) {
    let (seconds, fraction) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(fraction / 1_000_000_000))
    var rest = timespec()
    // The call writes what is left of the time, and keeps no pointer.
    while unsafe nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }

  private func start(_ stackBytes: Int) -> pthread_t? {
    var attributes = pthread_attr_t()
    // The attributes outlive the calls. The new thread takes over the reference to this object.
    guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(&attributes) }
    guard unsafe pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return nil }
    let reference = unsafe Unmanaged.passRetained(self)
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = unsafe pthread_create(
      &thread,
      &attributes,
      { unsafe Self.perform($0) },
      reference.toOpaque()
    )
    #else
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread,
      &attributes,
      { reference in unsafe reference.flatMap { unsafe SystemThread.perform($0) } },
      reference.toOpaque()
    )
    #endif
    guard code == 0 else {
      unsafe reference.release()
      return nil
    }
    return thread
  }

  private static func perform(_ reference: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<SystemThread>.fromOpaque(reference).takeRetainedValue().body()
    return nil
  }
}

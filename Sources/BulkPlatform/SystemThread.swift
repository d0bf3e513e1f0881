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
    SystemThread(body).run(stackBytes)
  }

  private func run(_ stackBytes: Int) -> Bool {
    var attributes = pthread_attr_t()
    // The thread ends before this function returns, so everything it refers to outlives it.
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    guard unsafe pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return false }
    let reference = unsafe Unmanaged.passUnretained(self).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let started = unsafe pthread_create(
      &thread,
      &attributes,
      { unsafe Self.start($0) },
      reference
    )
    guard started == 0, let thread else { return false }
    #else
    var thread = pthread_t()
    let started = unsafe pthread_create(
      &thread,
      &attributes,
      { reference in unsafe reference.flatMap { unsafe SystemThread.start($0) } },
      unsafe reference
    )
    guard started == 0 else { return false }
    #endif
    return pthread_join(thread, nil) == 0
  }

  private static func start(_ reference: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<SystemThread>.fromOpaque(reference).takeUnretainedValue().body()
    return nil
  }
}

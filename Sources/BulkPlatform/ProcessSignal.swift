/// A signal of the operating system.
package struct ProcessSignal {
  private let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// The signals that request a progress report.
  package static var progressRequests: [Int32] {
    #if canImport(Darwin)
    [SIGUSR1, SIGINFO]
    #else
    [SIGUSR1]
    #endif
  }

  /// Whether the parent process has set the signal to be ignored.
  package var isIgnored: Bool {
    var action = sigaction()
    // The call fills in the action, whose handler is only compared.
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
    let handler = unsafe action.__sigaction_u.__sa_handler
    #else
    let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Installs a handler for the signal.
  package func handle(_ handler: (@convention(c) (Int32) -> Void)?) { signal(number, handler) }
}

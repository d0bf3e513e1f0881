/// A signal of the operating system.
package struct ProcessSignal {
  private let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// The signals by which somebody asks a program where it stands.
  package static var inquiries: [Int32] {
    #if canImport(Darwin)
    [SIGUSR1, SIGINFO]
    #else
    [SIGUSR1]
    #endif
  }

  /// Whether the signal does nothing, as whoever started the process wants it.
  package var isIgnored: Bool {
    var action = sigaction()
    // The call fills the action, whose handler is only compared.
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
    let handler = unsafe action.__sigaction_u.__sa_handler
    #else
    let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Lets the signal call a handler.
  package func handle(_ handler: (@convention(c) (Int32) -> Void)?) { signal(number, handler) }
}

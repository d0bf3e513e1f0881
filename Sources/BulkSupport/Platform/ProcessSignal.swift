package struct ProcessSignal {
  private let number: Int32

  package init(_ number: Int32) { self.number = number }

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

  package func handle(_ handler: (@convention(c) (Int32) -> Void)?) { signal(number, handler) }
}

/// The resource limits of the process, as set by `ulimit`.
package enum ResourceLimit {
  /// In bytes, of the first thread's stack.
  case stack
  case openFiles

  /// In bytes but of files; `nil` if there is none or it cannot be read.
  package var bytes: Int64? {
    var limit = rlimit()
    #if canImport(Glibc)
    // The call fills in the limit and does not keep the pointer.
    let code = unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    #else
    let code = unsafe getrlimit(resource, &limit)
    #endif
    return code == 0 && limit.rlim_cur < rlim_t(Int64.max) ? Int64(limit.rlim_cur) : nil
  }

  #if canImport(Glibc)
  private typealias Resource = __rlimit_resource
  #else
  private typealias Resource = Int32
  #endif

  private var resource: Resource {
    switch self {
    case .stack: RLIMIT_STACK
    case .openFiles: RLIMIT_NOFILE
    }
  }
}

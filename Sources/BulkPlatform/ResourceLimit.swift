/// What the system lets a process have, as `ulimit` says.
package enum ResourceLimit {
  /// The bytes of a file that the process writes.
  case fileSize
  /// The bytes of the stack of the first thread.
  case stack

  /// The limit that counts now; `nil` where there is none, or the system does not tell it.
  package var bytes: Int64? {
    var limit = rlimit()
    #if canImport(Glibc)
    // The call fills the limit and does not keep it.
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
    case .fileSize: RLIMIT_FSIZE
    case .stack: RLIMIT_STACK
    }
  }
}

/// The resource limits of the process, as set by `ulimit`.
package enum ResourceLimit {
  /// The size in bytes of a file that the process writes.
  case fileSize
  /// The size in bytes of the first thread's stack.
  case stack

  /// The current limit; `nil` if there is none or it cannot be read.
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
    case .fileSize: RLIMIT_FSIZE
    case .stack: RLIMIT_STACK
    }
  }
}

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// How large a file may be that this process writes, as `ulimit -f` says.
enum FileSizeLimit {
  /// Whether there is a limit.
  static var isSet: Bool {
    var limit = rlimit()
    #if canImport(Glibc)
    let code = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
    let code = getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    return code == 0 && limit.rlim_cur < rlim_t(Int64.max)
  }
}

#if DEBUG
internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif
#endif

/// A place where a debug build can be made to die, as if it had been killed there.
///
/// `BULKMIGRATE_FAILPOINT=commit:3` kills the process just before it commits its third transaction.
enum Failpoint {
  /// Dies if the environment asks for it.
  static func reached(_ name: String, _ number: Int64 = 0) {
    #if DEBUG
    guard let wanted = ProcessInfo.processInfo.environment["BULKMIGRATE_FAILPOINT"] else { return }
    if wanted == "\(name):\(number)" { kill(getpid(), SIGKILL) }
    #endif
  }
}

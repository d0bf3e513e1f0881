#if DEBUG
internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif
#endif

/// A place where a debug build can be made to die, as if it had been killed there, or to stand still.
///
/// `BULKMIGRATE_FAILPOINT=commit:3` kills the process just before it commits its third transaction;
/// `BULKMIGRATE_STANDSTILL=commit:3` stops it there, until somebody lets it go on.
enum Failpoint {
  /// Dies or stands still if the environment asks for it.
  static func reached(_ name: String, _ number: Int64 = 0) {
    #if DEBUG
    let environment = ProcessInfo.processInfo.environment
    let place = "\(name):\(number)"
    if environment["BULKMIGRATE_FAILPOINT"] == place { kill(getpid(), SIGKILL) }
    if environment["BULKMIGRATE_STANDSTILL"] == place { kill(getpid(), SIGSTOP) }
    #endif
  }
}

/// The clock, new identifiers, environment, names and sizes of the machine that the process runs on.
///
/// All code takes them from ``current``, so that a test can fix them for a call and all threads that it starts.
package struct SystemHost: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date = { Date() }
  /// The time for durations, which never goes back.
  package var instant: @Sendable () -> ContinuousClock.Instant = { .now }
  /// An identifier that no other call returns, as `UUID` writes it.
  package var identifier: @Sendable () -> String = { UUID().uuidString }
  /// The variables of the environment.
  package var environment: @Sendable () -> [String: String] = {
    ProcessInfo.processInfo.environment
  }
  /// The name of the host; empty if the system does not report it.
  package var name: @Sendable () -> String = { systemName }
  /// The name and version of the operating system.
  package var systemVersion: @Sendable () -> String = {
    ProcessInfo.processInfo.operatingSystemVersionString
  }
  /// The number of processors in use, at least 1.
  package var processors: @Sendable () -> Int = { ProcessInfo.processInfo.activeProcessorCount }
  /// The memory of the machine in bytes.
  package var memory: @Sendable () -> UInt64 = { ProcessInfo.processInfo.physicalMemory }

  /// The machine itself.
  package init() {}

  /// The host of the running task or thread.
  @TaskLocal package static var current = SystemHost()

  private static var systemName: String {
    var name = [CChar](repeating: 0, count: 256)
    // The call writes less than the count of the array, which ends in zero.
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension timespec {
  /// A time of day as the times of files, to a microsecond.
  package init(_ time: Date) {
    let seconds = time.timeIntervalSince1970.rounded(.down)
    let rest = (time.timeIntervalSince1970 - seconds) * 1e9
    self.init(tv_sec: Int(seconds), tv_nsec: Int(rest))
  }
}

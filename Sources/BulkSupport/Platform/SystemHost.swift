/// The clock, new identifiers, environment, names and sizes of the machine that the process runs on.
///
/// All code takes them from ``current``, so that a test can fix them for a call and all threads that it starts.
package struct SystemHost: Sendable {
  package var now: @Sendable () -> Date = { Date() }
  /// It never goes back.
  package var instant: @Sendable () -> ContinuousClock.Instant = { .now }
  /// No other call returns it; as `UUID` writes it.
  package var identifier: @Sendable () -> String = { randomIdentifier }
  package var environment: @Sendable () -> [String: String] = {
    ProcessInfo.processInfo.environment
  }
  /// Empty if the system does not report it.
  package var name: @Sendable () -> String = { systemName }
  package var systemVersion: @Sendable () -> String = { knownVersion }
  /// Those in use when it was first asked for, at least 1.
  package var processors: @Sendable () -> Int = { knownProcessors }
  /// In bytes.
  package var memory: @Sendable () -> UInt64 = { ProcessInfo.processInfo.physicalMemory }

  package init() {}

  // For both of them several files are read.
  private static let knownVersion = ProcessInfo.processInfo.operatingSystemVersionString
  private static let knownProcessors = ProcessInfo.processInfo.activeProcessorCount

  /// A random UUID (RFC 9562, 5.4), for which no file is opened.
  private static var randomIdentifier: String {
    var generator = SystemRandomNumberGenerator()
    var (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
    high = (high & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    low = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    // Both have sixteen bytes.
    let bytes = unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self)
    return UUID(uuid: bytes).uuidString
  }

  /// The host of the running task or thread.
  @TaskLocal package static var current = SystemHost()

  private static var systemName: String {
    var name = [CChar](repeating: 0, count: 256)
    // The call writes less than the count of the array, which ends in zero.
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension Date {
  /// To a microsecond.
  package var fileTime: timespec {
    let seconds = timeIntervalSince1970.rounded(.down)
    let rest = (timeIntervalSince1970 - seconds) * 1e9
    return timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
  }
}

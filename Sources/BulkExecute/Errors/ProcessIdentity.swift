internal import BulkSupport

/// A process, told from every other one: of another host, of an earlier start of the host, or with the same number.
struct ProcessIdentity: Codable, Hashable, Sendable {
  var process: Int32
  var host: String
  /// An identifier that changes with every start of the host, and the namespace of the process
  /// identifier; empty where the system does not report them.
  var boot: String
  /// When the process began, in the system's own unit; empty where the system does not report it.
  var start: String

  static var current: ProcessIdentity {
    ProcessIdentity(
      process: getpid(),
      host: SystemHost.current.name(),
      boot: currentBoot,
      start: ownStart
    )
  }

  private static let ownStart = start(of: "self") ?? ""
  var isOfThisHost: Bool { host == SystemHost.current.name() }

  /// Whether the process has certainly ended, provided that its lock is free: the host has been up ever
  /// since, and has no such process any more.
  var isProvablyGone: Bool {
    guard isOfThisHost, !boot.isEmpty, boot == Self.currentBoot, !start.isEmpty else {
      return false
    }
    return Self.start(of: String(process)) != start
  }

  private static let currentBoot: String = {
    guard
      let boot = FileReading.system("/proc/sys/kernel/random/boot_id"),
      let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    else { return "" }
    return String(decoding: boot, as: UTF8.self).filter { !$0.isWhitespace } + " " + space
  }()

  /// When a process began, in clock ticks since the boot (proc(5), field 22 of `stat`); `nil` if there is
  /// no such process or it only waits to be reaped.
  private static func start(of process: String) -> String? {
    guard
      let bytes = FileReading.system("/proc/\(process)/stat"),
      case let line = String(decoding: bytes, as: UTF8.self),
      let end = line.lastIndex(of: ")")
    else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return String(fields[19])
  }
}

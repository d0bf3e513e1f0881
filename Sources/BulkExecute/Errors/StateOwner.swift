internal import BulkCoding
package import BulkPlan
internal import BulkPlatform

/// The process that holds a state directory, as its lock describes it.
package struct StateOwner: Codable, Hashable, Sendable {
  /// The identifier of the process on its host.
  package var process: Int32
  /// The name of the host.
  package var host: String
  /// An identifier that changes with every start of the host, and the namespace of the process
  /// identifier.
  package var boot: String
  /// When the process began, in the system's own unit.
  package var start: String
  /// When it took the lock, as ISO 8601 in UTC.
  package var since: String
  /// The memory limit of the process, in bytes.
  package var memoryLimit: Int64
  /// The smallest memory limit that it accepts while it runs, in bytes; absent if it takes no other.
  package var leastMemoryLimit: Int64?
  /// The limit of losses; the limits of a resumed run are in the checkpoints.
  package var lossLimit: LossLimit
  /// The treatment of objects that cannot be migrated as they are.
  package var rejects: RejectPolicy?

  /// Whether it has released the lock properly.
  package var hasReleased = false

  init(_ limits: RunLimits) {
    process = getpid()
    host = SystemHost.current.name()
    boot = Self.currentBoot
    start = Self.start(of: "self") ?? ""
    since = SystemHost.current.now().formatted(.iso8601)
    memoryLimit = limits.memory.bytes
    leastMemoryLimit = limits.leastMemory?.bytes
    lossLimit = limits.losses
    rejects = limits.rejects
  }

  var memory: ByteCount { ByteCount(bytes: memoryLimit) }

  /// The smallest memory limit that it accepts while it runs; `nil` if it takes no other.
  var leastMemory: ByteCount? { leastMemoryLimit.map { ByteCount(bytes: $0) } }

  /// Whether it ran on this host, or one of the same name.
  var isOfThisHost: Bool { host == SystemHost.current.name() }

  /// Whether the process has certainly ended, provided that its lock is free: the host has been up ever
  /// since, and has no such process any more.
  var isProvablyGone: Bool {
    guard isOfThisHost, !boot.isEmpty, boot == Self.currentBoot, !start.isEmpty else {
      return false
    }
    return Self.start(of: String(process)) != start
  }

  /// The boot of the system and the namespace of its process identifiers; empty where the system does not
  /// report them.
  private static var currentBoot: String {
    guard
      let boot = FileReading.system("/proc/sys/kernel/random/boot_id"),
      let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    else { return "" }
    return String(decoding: boot, as: UTF8.self).filter { !$0.isWhitespace } + " " + space
  }

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

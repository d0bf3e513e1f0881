internal import BulkSupport
package import BulkPlan

/// The process that holds a state directory, as its lock describes it.
package struct StateOwner: Codable, Hashable, Sendable {
  package var process: Int32
  package var host: String
  /// An identifier that changes with every start of the host, and the namespace of the process
  /// identifier.
  package var boot: String
  package var start: String
  /// When it took the lock, as ISO 8601 in UTC.
  package var since: String
  /// In bytes.
  package var memoryLimit: Int64
  /// The limit of losses; the limits of a resumed run are in the checkpoints.
  package var lossLimit: LossLimit
  package var rejects: RejectPolicy?
  package var hasReleased = false

  init(_ limits: RunLimits) {
    let identity = ProcessIdentity.current
    (process, host) = (identity.process, identity.host)
    (boot, start) = (identity.boot, identity.start)
    since = SystemHost.current.now().formatted(.iso8601)
    memoryLimit = limits.memory.bytes
    lossLimit = limits.losses
    rejects = limits.rejects
  }

  var memory: ByteCount { ByteCount(bytes: memoryLimit) }

  var identity: ProcessIdentity {
    ProcessIdentity(process: process, host: host, boot: boot, start: start)
  }
}

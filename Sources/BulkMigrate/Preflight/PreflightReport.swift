internal import BulkPlan

/// The findings of a preflight.
public struct PreflightReport: Codable, Hashable, Sendable {
  /// The format of the document.
  public static let format = "preflight/1"

  /// The space that a run takes on the disk of the destination; estimates, in bytes.
  public struct Space: Codable, Hashable, Sendable {
    /// The folder of the destination.
    public var folder: String
    /// The free bytes there; absent if the system does not report them.
    public var freeBytes: Int64?
    /// The destination, which is written under another name first.
    public var destinationBytes: Int64
    /// The files of external values, which are copied.
    public var externalBytes: Int64
    /// Association tables, links that are sorted, and the copy of a source with rows of no entity where it lies on the same
    /// disk.
    public var temporaryBytes: Int64

    /// The bytes needed in total.
    public var neededBytes: Int64 { destinationBytes + externalBytes + temporaryBytes }
  }

  /// The legs of a route, which a run migrates one after another.
  public struct Legs: Codable, Hashable, Sendable {
    /// The first ones, whose rules and expressions were checked.
    public var seen: Int
    /// The number of all legs.
    public var all: Int
  }

  /// The format, always ``format``.
  public var bulkmigrate = PreflightReport.format
  /// The fingerprint of the plan.
  public var plan: String
  /// The source; an absolute path.
  public var source: String
  /// The destination; an absolute path.
  public var destination: String
  /// The rows of entity tables that were read.
  public var rowsRead: Int64 = 0
  /// The rows of entity tables.
  public var rowsTotal: Int64 = 0
  /// The share of keys that were read, from 0 to 1; absent where all were.
  public var sample: Double?
  /// The parts that were not checked, a phrase each.
  public var unseen: [String] = []
  /// The legs of a route; absent where all is done at once.
  public var legs: Legs?
  /// How many objects a run with `--on-error quarantine` would leave out; absent where that is not known.
  public var rejected: Int64?
  /// The findings, in the order of ``PreflightFinding/Kind``.
  public var findings: [PreflightFinding] = []
  /// The space on the disk; absent where there is nothing to do.
  public var space: Space?

  /// Whether nothing was found.
  public var isClear: Bool { findings.isEmpty }

  init(_ plan: MigrationPlan) {
    self.plan = plan.fingerprint
    source = plan.source.store
    destination = plan.destination.store
  }
}

/// How far a preflight is.
package struct PreflightProgress: Hashable, Sendable {
  package enum Stage: String, Hashable, Sendable {
    case evaluating
    case surveying
  }

  package var stage: Stage
  package var rowsDone: Int64
  /// As far as known.
  package var rowsTotal: Int64
}

/// The progress of planning.
public struct PlanningProgress: Hashable, Sendable {
  /// What is being done.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The source is read for its identity.
    case reading
    /// Its pages are walked through, to see that none is used twice.
    case pages
    /// Rows are counted.
    case counting
    /// Losses are counted.
    case losses
    /// Pages are searched for large values.
    case values
  }

  /// What is being done.
  public var stage: Stage
  /// The bytes of the source that are read, while it is read.
  public var bytesDone: Int64 = 0
  /// The bytes to read; 0 where that is not known.
  public var bytesTotal: Int64 = 0

  /// A stage of which nothing is known but that it begins.
  public init(_ stage: Stage) { self.stage = stage }
}

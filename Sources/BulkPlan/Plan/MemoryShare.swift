/// A part of the memory of a migration.
public struct MemoryShare: Codable, Hashable, Sendable {
  /// What it is for.
  public var use: MemoryUse
  /// The least bytes that will do.
  public var leastBytes: Int64
  /// The bytes beyond which more makes nothing faster.
  public var mostBytes: Int64

  /// A part with its bounds in bytes.
  public init(_ use: MemoryUse, least: Int64, most: Int64? = nil) {
    self.use = use
    leastBytes = least
    mostBytes = max(most ?? least, least)
  }
}

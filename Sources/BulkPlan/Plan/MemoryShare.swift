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

/// What a migration needs memory for, beside what the program holds when it begins.
public enum MemoryUse: String, Codable, Hashable, Sendable, CaseIterable {
  /// Code and libraries that are used for the first time, and what the allocator keeps back.
  case program
  /// The two models, the mapping, the schemas of the two files, and statements.
  case models
  /// SQLite's cache of the file that is written.
  case destinationCache
  /// SQLite's cache of the store that is read.
  case sourceCache
  /// What SQLite sorts in when it makes indexes; the rest is sorted on the disk.
  case sorter
  /// SQLite's cache of the tables in which policies find what they made.
  case temporaryTables
  /// Where pages lie in the log beside the store.
  case log
  /// What reads the source through while rows are written, to see whether it is the one that was
  /// planned for and sound.
  case check
  /// Association tables: the block that is written, and a block of each that is asked; links that are
  /// sorted.
  case associations
  /// Rows whose values are evaluated, or made by policies, with the objects of their relationships.
  case rows
  /// The largest row that cannot be streamed.
  case largestRow
}

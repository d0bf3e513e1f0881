/// A part of the memory of a migration.
public struct MemoryShare: Codable, Hashable, Sendable {
  /// Its use.
  public var use: MemoryUse
  /// The fewest bytes that suffice.
  public var leastBytes: Int64
  /// The bytes beyond which more memory has no benefit.
  public var mostBytes: Int64

  /// A part with its bounds in bytes.
  public init(_ use: MemoryUse, least: Int64, most: Int64? = nil) {
    self.use = use
    leastBytes = least
    mostBytes = max(most ?? least, least)
  }
}

/// The uses of memory in a migration, beyond what the program holds when it begins.
public enum MemoryUse: String, Codable, Hashable, Sendable, CaseIterable {
  /// Code and libraries used for the first time, and memory kept by the allocator.
  case program
  /// The two models, the mapping, the schemas of the two files, and statements.
  case models
  /// SQLite's cache of the file that is written.
  case destinationCache
  /// SQLite's cache of the store that is read.
  case sourceCache
  /// SQLite's sorter for indexes; the rest is sorted on disk.
  case sorter
  /// SQLite's cache of the tables in which policies find their objects.
  case temporaryTables
  /// The locations of pages in the log beside the store.
  case log
  /// The reader that checks the source for changes and corruption while rows are written.
  case check
  /// Association tables: the block being written, and a block of each one being read; sorts of links.
  case associations
  /// Rows that are evaluated or made by policies, with the objects of their relationships.
  case rows
  /// The largest row that cannot be streamed.
  case largestRow
}

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

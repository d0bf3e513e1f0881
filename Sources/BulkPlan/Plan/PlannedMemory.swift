public import BulkSupport

/// The memory that a migration needs beyond what the program holds when it begins.
public struct PlannedMemory: Codable, Hashable, Sendable {
  /// The needs from beginning to end; passes have additional ones.
  public var shares: [MemoryShare]
  /// The source tables with values that are streamed because they are too large to hold.
  public var streamedTables: [String]
  /// The largest row that must be held as a whole; absent if no row is large.
  public var largestRow: LargestRow?
  /// The smallest limit with which the migration can run on this system; only in the output of `plan --json`,
  /// because it depends on the process.
  public var smallestLimitBytes: Int64?

  /// A row with large values.
  public struct LargestRow: Codable, Hashable, Sendable {
    /// The source table, or its entity if it has only one.
    public var entity: String
    /// The row's key, `Z_PK`.
    public var key: Int64
    /// The property with the largest value, or its column.
    public var property: String
    /// The size of that value in bytes.
    public var bytes: Int64
  }

  /// The needs of a migration that does nothing.
  public init() {
    shares = []
    streamedTables = []
  }
}

extension MigrationPlan {
  /// The bytes needed at once, beyond what the program holds when it begins.
  public var leastMemory: ByteCount {
    let pass = passes.map { $0.memory.reduce(0) { $0 + $1.leastBytes } }.max() ?? 0
    return ByteCount(bytes: memory.shares.reduce(0) { $0 + $1.leastBytes } + pass)
  }

  /// The smallest limit that suffices for a process.
  ///
  /// - Parameters:
  ///   - base: The baseline of the process.
  ///   - margin: The amount by which equal processes may differ.
  /// - Returns: A whole number of MiB.
  public func smallestMemoryLimit(base: ByteCount, margin: ByteCount = .zero) -> ByteCount {
    let unit: Int64 = 1 << 20
    // The memory of a process varies by some pages from run to run.
    let step = 4 * unit
    let held = (base.bytes + margin.bytes + step - 1) / step * step
    return ByteCount(bytes: (held + leastMemory.bytes + unit - 1) / unit * unit)
  }
}

/// A part of the memory of a migration.
public struct MemoryShare: Codable, Hashable, Sendable {
  /// The use of the memory.
  public var use: MemoryUse
  /// The minimum number of bytes that suffices.
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
  /// Pages and lists of rows that are looked for by key.
  case lookups
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

extension MemoryUse {
  package var phrase: String {
    switch self {
    case .program: "code and data as the work proceeds"
    case .models: "models, schemas and statements"
    case .destinationCache: "cache of the destination"
    case .sourceCache: "cache of the source"
    case .lookups: "rows that are looked for by key"
    case .sorter: "sorting for indexes"
    case .temporaryTables: "cache of what policies find again"
    case .log: "where pages lie in the source's log"
    case .check: "verifying the source"
    case .associations: "associations"
    case .rows: "rows that are evaluated"
    case .largestRow: "the largest row"
    }
  }
}

public import BulkCoding

/// The memory that a migration needs beside what the program holds when it begins.
public struct PlannedMemory: Codable, Hashable, Sendable {
  /// What is needed from the beginning to the end; passes need their own besides.
  public var shares: [MemoryShare]
  /// The source tables with values that are streamed because they are too large to be held.
  public var streamedTables: [String]
  /// The largest row that must be held at once, where it is too large to be an ordinary one.
  public var largestRow: LargestRow?
  /// The smallest limit with which the migration can be carried out on this system; only in what
  /// `plan --json` prints, because it tells of a process and not of the migration.
  public var smallestLimitBytes: Int64?

  /// A row with large values.
  public struct LargestRow: Codable, Hashable, Sendable {
    /// The source table, or the entity where it has but one.
    public var entity: String
    /// The row's key, `Z_PK`.
    public var key: Int64
    /// The property with the largest value, or its column.
    public var property: String
    /// The bytes of that value.
    public var bytes: Int64
  }

  /// Nothing is needed.
  public init() {
    shares = []
    streamedTables = []
  }
}

extension MigrationPlan {
  /// The bytes that are needed at once beside what the program holds when it begins.
  public var leastMemory: ByteCount {
    let pass = passes.map { $0.memory.reduce(0) { $0 + $1.leastBytes } }.max() ?? 0
    return ByteCount(bytes: memory.shares.reduce(0) { $0 + $1.leastBytes } + pass)
  }

  /// The smallest limit that will do for a process.
  ///
  /// - Parameters:
  ///   - base: What the process holds before it begins.
  ///   - margin: What another process may hold more, although it is made in the same way.
  /// - Returns: A whole number of MiB.
  public func smallestMemoryLimit(base: ByteCount, margin: ByteCount = .zero) -> ByteCount {
    let unit: Int64 = 1 << 20
    // What a process holds differs by some pages from run to run.
    let step = 4 * unit
    let held = (base.bytes + margin.bytes + step - 1) / step * step
    return ByteCount(bytes: (held + leastMemory.bytes + unit - 1) / unit * unit)
  }
}

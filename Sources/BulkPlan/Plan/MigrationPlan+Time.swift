extension MigrationPlan {
  /// The estimated time of the longest indivisible part, in seconds: an index, or the links of a
  /// relationship; neither takes longer than the rows of the largest table.
  public var longestStepSeconds: Double {
    // Of a store between two legs only the sum of all tables is estimated.
    let later = hasSeveralLegs ? [secondsOfLeg] : []
    return (passes.map(\.longestStepSeconds) + later + [secondsOfFiles]).max() ?? 0
  }

  /// The estimated time of the whole migration, in seconds.
  public var estimatedSeconds: Double {
    CostModel.sum([secondsOfLeg * Double(legs.count), secondsOfFiles])
  }

  private var secondsOfLeg: Double { CostModel.sum(passes.map(\.estimatedSeconds)) }

  private var secondsOfFiles: Double { source.externalFiles?.estimatedSeconds ?? 0 }
}

extension MigrationPlan.Pass {
  /// The largest table's share of the pass's time.
  fileprivate var longestStepSeconds: Double {
    guard rows > 0 else { return 0 }
    let rowsOfEntities = entities.map(\.rows)
    // All join tables count as one.
    let rowsOfPairs = max(rows - rowsOfEntities.reduce(0, +), 0)
    let largest = max(rowsOfEntities.max() ?? 0, rowsOfPairs)
    return estimatedSeconds * min(Double(largest) / Double(rows), 1)
  }
}

/// The cost of a migration, from rows and bytes.
///
/// The rates are those of a plain SQL migration of narrow rows on one core of a server of 2024, with the
/// store in the page cache; other machines may be twice as fast or half as fast.
enum CostModel {
  private static let rowsPerSecond = 1_500_000.0
  private static let bytesPerSecond = 350_000_000.0

  private static let filesPerSecond = 10_000.0

  /// The time for copying some files, in seconds, to a tenth.
  static func seconds(files: Int64, bytes: Int64) -> Double {
    let time = Double(files) / filesPerSecond + Double(bytes) / bytesPerSecond
    return (time * 10).rounded(.up) / 10
  }

  /// A sum of times, to a tenth of a second.
  static func sum(_ seconds: some Sequence<Double>) -> Double {
    (seconds.reduce(0, +) * 10).rounded() / 10
  }

  /// The time for some rows, in seconds, to a tenth.
  static func seconds(rows: Int64, bytes: Int64) -> Double {
    let time = Double(rows) / rowsPerSecond + Double(bytes) / bytesPerSecond
    return (time * 10).rounded(.up) / 10
  }
}

import BulkTestSupport

/// Source keys and destination keys at the same places.
struct Pairs: Equatable {
  var sources: [Int64] = []
  var destinations: [Int64] = []

  /// How the destination keys go along with the source keys.
  enum Shape: CaseIterable {
    /// The same distance everywhere.
    case kept
    /// Ascending, with gaps on both sides.
    case gaps
    /// In no order.
    case random
    /// From one to three destinations a source key.
    case several
  }

  init() {}

  /// The same pairs for the same arguments (splitmix64).
  init(_ count: Int, _ shape: Shape, seed: UInt64 = 1) {
    var generator = SeededGenerator(seed: seed)
    var source: Int64 = 0
    var destination: Int64 = 1000
    for _ in 0..<count {
      switch shape {
      case .kept:
        source += 1
        destination += 1
      case .gaps:
        source += generator.next() % 8 == 0 ? 5 : 1
        destination += generator.next() % 8 == 0 ? 9 : 1
      case .random:
        source += 1
        destination = Int64(generator.next() % UInt64(max(count, 1) * 2))
      case .several:
        source += Int64(generator.next() % 2)
        destination = Int64(generator.next() % 1000)
      }
      sources.append(source)
      destinations.append(destination)
    }
  }

  /// All pairs of a table.
  init(_ table: AssociationTable) throws {
    let reader = try AssociationCursor(table)
    while let runs = try reader.nextRuns() {
      for run in runs {
        sources += run.sourceKey...run.lastSourceKey
        destinations += run.destinationKey...run.lastDestinationKey
      }
    }
  }

  /// The destination keys of each source key.
  var destinationsBySource: [Int64: [Int64]] {
    Dictionary(grouping: sources.indices, by: { sources[$0] }).mapValues { places in
      places.map { destinations[$0] }
    }
  }
}

extension AssociationTable {
  /// A table of pairs that were added in pages of 4096.
  init(_ pairs: Pairs, in folder: String, memoryLimit: Int = .max) throws {
    var writer = try AssociationWriter(folder: folder, prefix: "t", memoryLimit: memoryLimit)
    for start in stride(from: 0, to: pairs.sources.count, by: 4096) {
      let page = start..<min(start + 4096, pairs.sources.count)
      try writer.append(Array(pairs.sources[page]), with: Array(pairs.destinations[page]))
    }
    self = try writer.finish()
  }
}

extension AssociationWriter {
  /// Adds pairs, given as keys at equal indexes.
  mutating func append(_ sources: [Int64], with destinations: [Int64]) throws {
    for (source, destination) in zip(sources, destinations) {
      try append(AssociationRun(sourceKey: source, destinationKey: destination))
    }
  }
}

extension AssociationCursor {
  /// The first destination key of each source key of a page, if it has one.
  func destinationKeys(of sourceKeys: [Int64]) throws -> [Int64?] {
    var keys = [Int64?](repeating: nil, count: sourceKeys.count)
    for match in try matches(of: sourceKeys) where keys[match.position] == nil {
      keys[match.position] = match.destinationKey
    }
    return keys
  }
}

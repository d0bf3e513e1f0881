/// Finds the destination keys of pages of source keys.
///
/// The keys of a page ascend and are merged with the runs; the next page may start with smaller keys. One
/// block and the index of one segment are in memory.
package struct AssociationLookup: ~Copyable {
  /// A destination key, and the position of its source key in the page.
  package struct Match: Hashable, Sendable {
    /// The position of the source key in the page.
    package let position: Int
    package let destinationKey: Int64

    package init(position: Int, destinationKey: Int64) {
      self.position = position
      self.destinationKey = destinationKey
    }
  }

  private var source: BlockSource
  private var place = BlockSource.Place()
  /// Of the block at the current position; empty after the last block.
  private var runs: [AssociationRun] = []
  /// Where the last search ended.
  private var cursor = 0

  package init(_ table: AssociationTable) throws(AssociationError) {
    source = try BlockSource(table)
  }

  /// The matches of keys in page order, those of one key in table order.
  ///
  /// Keys ascend; a key may come more than once.
  package mutating func matches(of sourceKeys: [Int64]) throws(AssociationError) -> [Match] {
    var matches: [Match] = []
    matches.reserveCapacity(sourceKeys.count)
    var previous: Int64?
    var startOfPrevious = 0
    cursor = 0
    for (position, key) in sourceKeys.enumerated() {
      let start = matches.count
      if key == previous {
        for index in startOfPrevious..<start {
          let destinationKey = matches[index].destinationKey
          matches.append(Match(position: position, destinationKey: destinationKey))
        }
      } else if let previous, key < previous {
        throw .unorderedSourceKey(key, after: previous)
      } else {
        try seek(key)
        try appendMatches(of: key, at: position, to: &matches)
      }
      startOfPrevious = start
      previous = key
    }
    return matches
  }

  private mutating func seek(_ key: Int64) throws(AssociationError) {
    // A block that begins with the key may not be the first that contains it.
    let isInBlock = cursor < runs.count && runs[0].sourceKey < key
    if !isInBlock || runs[runs.count - 1].lastSourceKey < key {
      try load(source.firstPlace(reaching: key))
    }
    var low = cursor
    var step = 1
    while low + step < runs.count, runs[low + step].lastSourceKey < key {
      low += step
      step *= 2
    }
    var high = min(low + step, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].lastSourceKey < key { low = middle + 1 } else { high = middle }
    }
    cursor = low
  }

  private mutating func appendMatches(
    of key: Int64,
    at position: Int,
    to matches: inout [Match]
  ) throws(AssociationError) {
    while cursor < runs.count, runs[cursor].sourceKey <= key {
      let destinationKey = runs[cursor].destinationKey(of: key)
      matches.append(Match(position: position, destinationKey: destinationKey))
      // Only a run that ends with the key can be followed by another run that contains it.
      guard runs[cursor].lastSourceKey == key else { return }
      cursor += 1
      if cursor == runs.count { try load(source.place(after: place)) }
    }
  }

  private mutating func load(_ place: BlockSource.Place) throws(AssociationError) {
    cursor = 0
    runs = []
    runs = try source.runs(at: place) ?? []
    self.place = place
  }
}

/// The associations of a table, looked up key by key in ascending order.
///
/// One block is in memory.
package final class OrderedAssociations {
  private let table: AssociationTable
  private var reader: AssociationReader
  private var runs: [AssociationRun] = []
  private var place = 0
  private var lastKey: Int64?

  package init(_ table: AssociationTable) throws(AssociationError) {
    self.table = table
    reader = try AssociationReader(table)
  }

  /// `nil` if the key has no destination; a key less than the one before makes the table be read again from the
  /// start.
  package func destinationKey(of key: Int64) throws(AssociationError) -> Int64? {
    if let lastKey, key < lastKey {
      reader = try AssociationReader(table)
      (runs, place) = ([], 0)
    }
    lastKey = key
    while true {
      while place < runs.count, runs[place].lastSourceKey < key { place += 1 }
      if place < runs.count { break }
      guard let more = try reader.nextRuns() else { return nil }
      (runs, place) = (more, 0)
    }
    return runs[place].sourceKey <= key ? runs[place].destinationKey(of: key) : nil
  }
}

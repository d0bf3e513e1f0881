/// Reads a table: its blocks, runs or pairs from the first to the last, or what leads from some keys.
///
/// One block, and the index of one segment, are in memory. A cursor is used in one of these ways.
package final class AssociationCursor {
  /// A destination key, and the position of its source key in the page.
  package struct Match: Hashable, Sendable {
    package let position: Int
    package let destinationKey: Int64

    package init(position: Int, destinationKey: Int64) {
      self.position = position
      self.destinationKey = destinationKey
    }
  }

  private let table: AssociationTable
  private let decompressor: BlockDecompressor
  private var segment: AssociationSegment?
  /// The number of the segment whose blocks are listed; those in memory come last.
  private var openPart: Int?
  private var entries: [EncodedBlock.Entry] = []
  /// Of the block behind the current one.
  private var next = (part: 0, block: 0)
  /// Of the current block; empty before the first and after the last.
  private var runs: [AssociationRun] = []
  private var index = 0
  /// The number of pairs of the run that were returned.
  private var step: Int64 = 0

  package init(_ table: AssociationTable) throws {
    self.table = table
    decompressor = try BlockDecompressor()
  }

  /// The runs of the next block; `nil` after the last.
  package func nextRuns() throws -> [AssociationRun]? {
    try loadNext() ? runs : nil
  }

  /// `nil` after the last.
  func nextRun() throws -> AssociationRun? {
    if index == runs.count, try !loadNext() { return nil }
    index += 1
    return runs[index - 1]
  }

  /// The next pair, unless its source key is another one; `nil` after the last.
  func nextPair(
    of key: Int64? = nil
  ) throws -> (source: Int64, object: Int64)? {
    if index == runs.count, try !loadNext() { return nil }
    let run = runs[index]
    let pair = (source: run.sourceKey + step, object: run.destinationKey + step)
    guard key == nil || pair.source == key else { return nil }
    step += 1
    if step == run.length { (index, step) = (index + 1, 0) }
    return pair
  }

  /// The first destination key of a source key; `nil` if it has none.
  package func destinationKey(of key: Int64) throws -> Int64? {
    try seek(key)
    guard index < runs.count, runs[index].sourceKey <= key else { return nil }
    return runs[index].destinationKey(of: key)
  }

  /// The matches of a page of keys in its order, those of one key in table order.
  ///
  /// Keys ascend; a key may come more than once, and the next page may start with smaller keys.
  package func matches(of sourceKeys: [Int64]) throws -> [Match] {
    var matches: [Match] = []
    matches.reserveCapacity(sourceKeys.count)
    var previous: Int64?
    var startOfPrevious = 0
    for (position, key) in sourceKeys.enumerated() {
      let start = matches.count
      if key == previous {
        for index in startOfPrevious..<start {
          let destinationKey = matches[index].destinationKey
          matches.append(Match(position: position, destinationKey: destinationKey))
        }
      } else if let previous, key < previous {
        throw AssociationError.unorderedSourceKey(key, after: previous)
      } else {
        try seek(key)
        try appendMatches(of: key, at: position, to: &matches)
      }
      startOfPrevious = start
      previous = key
    }
    return matches
  }

  private func appendMatches(
    of key: Int64,
    at position: Int,
    to matches: inout [Match]
  ) throws {
    while index < runs.count, runs[index].sourceKey <= key {
      let destinationKey = runs[index].destinationKey(of: key)
      matches.append(Match(position: position, destinationKey: destinationKey))
      // Only a run that ends with the key can be followed by another run that contains it.
      guard runs[index].lastSourceKey == key else { return }
      index += 1
      if index == runs.count { _ = try loadNext() }
    }
  }

  /// Goes to the first run that reaches a key, or behind the last.
  private func seek(_ key: Int64) throws {
    // A block that begins with the key may not be the first that contains it.
    if let first = runs.first, first.sourceKey < key, runs[runs.count - 1].lastSourceKey >= key {
      if index > 0, runs[index - 1].lastSourceKey >= key { index = 0 }
    } else {
      let block = try firstBlock(reaching: key)
      if !runs.isEmpty, block == (next.part, next.block - 1) {
        index = 0
      } else {
        next = block
        guard try loadNext() else { return }
      }
    }
    var low = index
    var step = 1
    while low + step < runs.count, runs[low + step].lastSourceKey < key {
      low += step
      step *= 2
    }
    index = runs[low..<min(low + step, runs.count)].partitionIndex { $0.lastSourceKey >= key }
  }

  /// What follows the last block if none reaches the key.
  private func firstBlock(
    reaching key: Int64
  ) throws -> (part: Int, block: Int) {
    let part = table.segments.partitionIndex { $0.lastSourceKey >= key }
    try open(part)
    return (part, entries.partitionIndex { $0.lastSourceKey >= key })
  }

  /// Goes to the beginning of the next block; returns whether there is one.
  private func loadNext() throws -> Bool {
    (runs, index, step) = ([], 0, 0)
    while next.part <= table.segments.count {
      try open(next.part)
      if next.block < entries.count { break }
      next = (next.part + 1, 0)
    }
    guard next.part <= table.segments.count else { return false }
    if next.part < table.segments.count {
      runs = try segment?.runs(ofBlock: next.block, with: decompressor) ?? []
    } else {
      let block = table.blocks[next.block]
      switch block.entry.runs(of: block.frame, with: decompressor) {
      case .success(let found): runs = found
      case .failure(let fault):
        throw AssociationError.damaged(path: "memory", offset: next.block, reason: fault.rawValue)
      }
    }
    next.block += 1
    return true
  }

  private func open(_ part: Int) throws {
    guard openPart != part else { return }
    openPart = nil
    segment = nil
    if part < table.segments.count {
      let opened = try AssociationSegment(table.segments[part], in: table.folder)
      entries = opened.entries
      segment = consume opened
    } else {
      entries = table.blocks.map(\.entry)
    }
    openPart = part
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index from which on all elements satisfy a condition that none before it does; the end without one.
  @inline(__always)
  fileprivate func partitionIndex(where isReached: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isReached(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

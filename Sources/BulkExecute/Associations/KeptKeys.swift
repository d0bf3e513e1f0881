internal import BulkAssociation
internal import BulkStore

/// The source keys of an association table whose destination keys have an offset from them: the objects
/// that are made under keys of their own, not those that are merged into others.
final class KeptKeys {
  private var reader: AssociationReader
  private let offset: Int64
  private var runs: [AssociationRun] = []
  private var place = 0
  /// The range that was returned last, and is not passed yet.
  private var current: ClosedRange<Int64>?

  init(_ table: AssociationTable, at offset: Int64) throws {
    reader = try AssociationReader(table)
    self.offset = offset
  }

  func next() throws -> ClosedRange<Int64>? {
    while true {
      if place == runs.count {
        guard let more = try reader.nextRuns() else { return nil }
        (runs, place) = (more, 0)
      }
      guard place < runs.count else { continue }
      let run = runs[place]
      place += 1
      if run.sourceKey &+ offset == run.destinationKey {
        return run.sourceKey...run.lastSourceKey
      }
    }
  }

  /// The least of these keys from a key on, which never descends from call to call; `nil` if there is none.
  func first(from key: Int64) throws -> Int64? {
    while current.map({ $0.upperBound < key }) ?? true {
      guard let range = try next() else {
        current = nil
        return nil
      }
      current = range
    }
    return current.map { max($0.lowerBound, key) }
  }
}

/// Ranges of kept keys, as many as one transaction takes.
final class KeptBatches {
  private let kept: KeptKeys
  private let rangeKeys: Int64
  private let batchKeys: Int64
  private var rest: ClosedRange<Int64>?

  init(_ kept: KeptKeys, _ batchRows: Int64) {
    self.kept = kept
    rangeKeys = batchRows
    batchKeys = KeyRanges.rowsAtOnce(batchRows)
  }

  func next() throws -> [ClosedRange<Int64>]? {
    var result: [ClosedRange<Int64>] = []
    var left = batchKeys
    while left > 0 {
      guard let range = try rest ?? kept.next() else { break }
      let count = min(range.upperBound - range.lowerBound + 1, rangeKeys, left)
      let end = range.lowerBound + (count - 1)
      result.append(range.lowerBound...end)
      left -= count
      rest = end < range.upperBound ? (end + 1)...range.upperBound : nil
    }
    return result.isEmpty ? nil : result
  }
}

internal import BulkStore

/// Ranges of kept keys, as many as one transaction takes.
final class KeptBatches {
  private let kept: KeptKeys
  private let rangeKeys: Int64
  private let batchKeys: Int64
  private var rest: ClosedRange<Int64>?

  /// - Parameters:
  ///   - kept: The keys.
  ///   - batchRows: The most keys of a range.
  init(_ kept: KeptKeys, _ batchRows: Int64) {
    self.kept = kept
    rangeKeys = batchRows
    batchKeys = KeyRanges.rowsAtOnce(batchRows)
  }

  /// The ranges of the next transaction; `nil` after the last.
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

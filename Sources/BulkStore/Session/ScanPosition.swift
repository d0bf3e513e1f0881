/// How far a session has come in the rows of a table that it reads in the order of their keys.
package final class ScanPosition {
  /// The number of scans that have begun.
  package private(set) var scans = 0
  /// The share of the running scan's keys that it has behind it, from 0 to 1.
  package private(set) var share = 0.0
  private var keys: ClosedRange<Int64>?

  /// Begins a scan of the rows with some keys; `nil` where there are none.
  package func begin(_ keys: ClosedRange<Int64>?) {
    scans += 1
    share = 0
    self.keys = keys
  }

  /// Notes that the rows up to a key are done.
  package func reach(_ key: Int64) {
    guard let keys, key >= keys.lowerBound else { return }
    // As floating-point numbers, keys at both ends of their range have a distance.
    let whole = Double(keys.upperBound) - Double(keys.lowerBound) + 1
    share = min((Double(key) - Double(keys.lowerBound) + 1) / whole, 1)
  }
}

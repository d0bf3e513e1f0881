internal import BulkCoding

/// The output of `rejects replay --json`, and of `rejects` where nothing was left out.
package struct ReplayReport: Encodable {
  /// The destination; absent where nothing was left out, so that nothing was done.
  var destination: String?
  /// The rows of the destination.
  var rows: Int64?
  /// The store that it was.
  var kept: String?
  /// How many objects are left out now.
  let leftOut = 0

  /// The report where nothing was left out.
  package init() {}

  /// The report of a replay, with the path of the store that was replaced.
  package init(_ outcome: MigrationOutcome, kept: String) {
    (destination, rows, self.kept) = (outcome.destinationPath, outcome.rows, kept)
  }

  /// The report in a sentence.
  package var lines: [String] {
    guard let destination, let rows, let kept else { return ["nothing was left out"] }
    let made = "\(destination): \(rows.grouped) rows, nothing left out"
    return ["\(made); the store that it was is \(kept)"]
  }
}

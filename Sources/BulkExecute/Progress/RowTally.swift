/// The fates of the source rows of an entity mapping, or of a table that moves row by row.
package struct RowTally: Codable, Hashable, Sendable {
  /// The fate of a source row under a policy.
  enum Outcome {
    case nothing
    /// Objects that existed already.
    case merged
    /// At least one new object.
    case made
  }

  /// The source rows that were read one by one; rows that SQL moves are not counted.
  var read: Int64 = 0
  /// The destination rows that were written.
  package var written: Int64 = 0
  /// The source rows from which a policy made objects.
  var made: Int64 = 0
  /// The source rows that a policy merged into existing objects.
  package var merged: Int64 = 0
  /// The source rows from which a policy made nothing.
  package var rejected: Int64 = 0
  /// The source rows that a policy rejected with a reason, or that are the same as one before.
  package var refused: Int64 = 0
  /// The source rows that fail the evaluated part of the mapping's filter.
  package var filtered: Int64 = 0
  /// The written rows that were removed again because they violate rules; absent if there are none.
  package var leftOut: Int64?
  /// The source rows for which a policy made or found objects and associated none; `nil` if there are none.
  var unassociated: Int64?
  /// The attributes that a policy read.
  var readAttributes: Set<String> = []

  /// The names in a checkpoint.
  private enum CodingKeys: String, CodingKey {
    case read, written, made, merged, rejected, refused, filtered, leftOut, unassociated
    case readAttributes = "asked"
  }

  /// Counts the outcome of a source row.
  mutating func count(_ outcome: Outcome) {
    switch outcome {
    case .made: made += 1
    case .merged: merged += 1
    case .nothing: rejected += 1
    }
  }
}

/// The fates of all source rows so far, in this attempt and in those that it resumes.
final class RowTallies {
  private var known: [String: RowTally]
  private var current: (name: String, written: Int64)?
  /// The number of rows that this attempt has written.
  private let written: () -> Int64

  init(_ known: [String: RowTally], written: @escaping () -> Int64) {
    self.known = known
    self.written = written
  }

  /// Everything so far, by entity mapping or destination table.
  var all: [String: RowTally] {
    var result = known
    if let current {
      result[current.name, default: RowTally()].written += written() - current.written
    }
    return result
  }

  /// The fates of the rows of an entity mapping or destination table.
  subscript(name: String) -> RowTally { all[name] ?? RowTally() }

  /// Attributes rows written from now on to an entity mapping or destination table.
  func begin(_ name: String) {
    known = all
    current = (name, written())
  }

  /// Stops attributing rows to it.
  func end() {
    known = all
    current = nil
  }

  /// Attributes rows that were written to an entity mapping, while several have theirs written in turn.
  func add(_ rows: Int64, to name: String) {
    known[name, default: RowTally()].written += rows
  }

  /// Counts a written row that is removed.
  func leaveOut(_ name: String) {
    let count = known[name]?.leftOut ?? 0
    known[name, default: RowTally()].leftOut = count + 1
  }

  /// Changes the tally of the rows being read.
  func note(_ change: (inout RowTally) -> Void) {
    guard let current else { return }
    change(&known[current.name, default: RowTally()])
  }
}

/// The outcomes of the source rows of an entity mapping, or of a table that moves row by row.
package struct RowTally: Codable, Hashable, Sendable {
  /// The outcome of a source row under a policy.
  enum Outcome {
    case nothing
    case merged
    case made
  }

  /// The source rows that were read one by one; rows that SQL moves are not counted.
  package var read: Int64 = 0
  package var written: Int64 = 0
  var made: Int64 = 0
  package var merged: Int64 = 0
  package var rejected: Int64 = 0
  /// The source rows that a policy rejected with a reason, that are the same as one before, or whose filter or
  /// collection fails.
  package var refused: Int64 = 0
  /// The source rows that fail the evaluated part of the mapping's filter.
  package var filtered: Int64 = 0
  /// The written rows that were removed again because they violate rules; absent if there are none.
  package var leftOut: Int64?
  /// The source rows for which a policy made or found objects and associated none; `nil` if there are none.
  var unassociated: Int64?
  var readAttributes: Set<String> = []

  /// The names in a checkpoint.
  private enum CodingKeys: String, CodingKey {
    case read, written, made, merged, rejected, refused, filtered, leftOut, unassociated
    case readAttributes = "asked"
  }

  mutating func count(_ outcome: Outcome) {
    switch outcome {
    case .made: made += 1
    case .merged: merged += 1
    case .nothing: rejected += 1
    }
  }
}

/// The outcomes of all source rows so far, in this attempt and in those that it resumes.
final class RowTallies {
  /// Those of the rows that are being read, and how many rows were written before them.
  private struct Current {
    let name: String
    let written: Int64
    var tally: RowTally

    mutating func note(_ change: (inout RowTally) -> Void) { change(&tally) }
  }

  private var known: [String: RowTally]
  private var current: Current?
  private let written: () -> Int64

  init(_ known: [String: RowTally], written: @escaping () -> Int64) {
    self.known = known
    self.written = written
  }

  var all: [String: RowTally] {
    guard let current else { return known }
    var (result, tally) = (known, current.tally)
    tally.written += written() - current.written
    result[current.name] = tally
    return result
  }

  subscript(name: String) -> RowTally { all[name] ?? RowTally() }

  /// Attributes rows written from now on to a name.
  func begin(_ name: String) {
    end()
    current = Current(name: name, written: written(), tally: known[name] ?? RowTally())
  }

  func end() {
    known = all
    current = nil
  }

  /// While several mappings have theirs written in turn.
  func add(_ rows: Int64, to name: String) { change(name) { $0.written += rows } }

  func leaveOut(_ name: String) { change(name) { $0.leftOut = ($0.leftOut ?? 0) + 1 } }

  func note(_ change: (inout RowTally) -> Void) { current?.note(change) }

  private func change(_ name: String, _ change: (inout RowTally) -> Void) {
    if current?.name == name { note(change) } else { change(&known[name, default: RowTally()]) }
  }
}

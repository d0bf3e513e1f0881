/// What became of the source rows of an entity mapping, or of a table that moves row by row.
struct RowTally: Codable, Hashable {
  /// What a policy let a source row become.
  enum Outcome {
    /// Nothing.
    case nothing
    /// Objects that were there already.
    case merged
    /// At least one new object.
    case made
  }

  /// The source rows that were read one by one; of those that SQL moves it is not told.
  var read: Int64 = 0
  /// The destination rows that were written.
  var written: Int64 = 0
  /// The source rows of which a policy made objects.
  var made: Int64 = 0
  /// The source rows that a policy let become objects which were there already.
  var merged: Int64 = 0
  /// The source rows of which a policy made nothing.
  var rejected: Int64 = 0
  /// The source rows that do not satisfy what was evaluated of the mapping's filter.
  var filtered: Int64 = 0
  /// The attributes for which a policy asked.
  var asked: Set<String> = []

  /// Counts a source row of a policy.
  mutating func count(_ outcome: Outcome) {
    switch outcome {
    case .made: made += 1
    case .merged: merged += 1
    case .nothing: rejected += 1
    }
  }
}

/// What became of all source rows so far, in this attempt and in those that it continues.
final class RowTallies {
  private var known: [String: RowTally]
  private var current: (name: String, written: Int64)?
  /// The rows that this attempt has written.
  private let written: () -> Int64

  /// - Parameters:
  ///   - known: What a checkpoint says.
  ///   - written: The rows that this attempt has written.
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

  /// What became of the rows of an entity mapping or destination table.
  subscript(name: String) -> RowTally { all[name] ?? RowTally() }

  /// Tells for which entity mapping or destination table rows are written from now on.
  func begin(_ name: String) {
    known = all
    current = (name, written())
  }

  /// Tells that no more rows are written for it.
  func end() {
    known = all
    current = nil
  }

  /// Notes something of the rows that are read now.
  func note(_ change: (inout RowTally) -> Void) {
    guard let current else { return }
    change(&known[current.name, default: RowTally()])
  }
}

/// The inputs of the objects for which a part of an expression is evaluated.
///
/// The outermost frame has a row for each source object; in inner frames, a row is an element of a
/// collection and belongs to a row of the next outer frame.
final class EvaluationFrame {
  private let columns: [[EvaluatedValue]]
  private let outer: EvaluationFrame?
  private let outerRows: [Int]
  /// The random seed of each row.
  private let seeds: [UInt64]

  /// The frame of the source objects.
  init(_ columns: [[EvaluatedValue]], keys: [Int64], seed: UInt64) {
    self.columns = columns
    outer = nil
    outerRows = []
    seeds = keys.map { RandomMix.mixed(seed, with: UInt64(bitPattern: $0)) }
  }

  /// The frame of objects that belong to rows of an outer frame.
  init(_ objects: [(row: Int, ordinal: Int, object: ObjectValue)], in outer: EvaluationFrame) {
    self.outer = outer
    outerRows = objects.map(\.row)
    let width = objects.map(\.object.values.count).max() ?? 0
    columns = (0..<width).map { column in
      objects.map { column < $0.object.values.count ? $0.object.values[column] : .null }
    }
    seeds = objects.map { RandomMix.mixed(outer.seeds[$0.row], with: UInt64($0.ordinal) + 1) }
  }

  /// An input of a row, in the frame that is a number of frames further out.
  func value(_ input: Int, at row: Int, frames: Int) -> EvaluatedValue {
    var frame = self
    var row = row
    for _ in 0..<frames {
      guard let next = frame.outer else { return .null }
      row = frame.outerRows[row]
      frame = next
    }
    return input < frame.columns.count ? frame.columns[input][row] : .null
  }

  /// An input of this frame for different rows, in their order.
  func values(_ input: Int, _ rows: Evaluator.Rows) -> [EvaluatedValue] {
    guard input < columns.count else { return Array(repeating: .null, count: rows.count) }
    let column = columns[input]
    // As many different rows as there are, in ascending order, are all of them.
    return rows.count == column.count ? column : rows.map { column[$0] }
  }

  /// The source object's row that a row belongs to.
  func sourceRow(_ row: Int) -> Int {
    guard let outer else { return row }
    return outer.sourceRow(outerRows[row])
  }

  /// A random number, determined by the row, the site and the seed of the run.
  func random(at row: Int, site: Int) -> UInt64 {
    RandomMix.mixed(seeds[row], with: UInt64(site))
  }
}

/// Pseudorandom numbers that depend only on their purpose, based on SplitMix64.
enum RandomMix {
  static func mixed(_ state: UInt64, with value: UInt64) -> UInt64 {
    var result = (state ^ value &* 0x9E37_79B9_7F4A_7C15) &+ 0x9E37_79B9_7F4A_7C15
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }
}

/// What must be true of a source row, evaluated row by row.
struct RecordConditions: ~Copyable {
  /// One condition.
  struct Condition {
    /// The source column.
    let column: Int
    /// The places of the numbers of which the value must be one; `nil` if it must be NULL, or must not.
    let numbers: Range<Int>?
    /// Whether it must be NULL.
    let isNull: Bool
  }

  /// The conditions; all of them must hold.
  let all: [Condition]
  /// The numbers of all conditions, in ascending order for each.
  private let numbers: UnsafeMutableBufferPointer<Int64>

  init(_ conditions: [RecordCopy.Condition]) {
    var all: [Condition] = []
    var listed: [Int64] = []
    for condition in conditions {
      switch condition {
      case .isNull(let column):
        all.append(Condition(column: column, numbers: nil, isNull: true))
      case .isNotNull(let column):
        all.append(Condition(column: column, numbers: nil, isNull: false))
      case .isIn(let column, let numbers):
        let start = listed.count
        listed += numbers.sorted()
        all.append(Condition(column: column, numbers: start..<listed.count, isNull: false))
      }
    }
    self.all = all
    numbers = .allocate(capacity: listed.count)
    _ = numbers.initialize(from: listed)
  }

  deinit { numbers.deallocate() }

  /// Whether a number is one of those of a condition.
  @inline(__always)
  func contains(_ number: Int64, in places: Range<Int>) -> Bool {
    var (low, high) = (places.lowerBound, places.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] == number { return true }
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

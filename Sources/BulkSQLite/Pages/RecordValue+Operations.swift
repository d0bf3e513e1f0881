internal import BulkSupport

extension RecordValue {
  /// The result as SQL computes it; `nil` for a text.
  func arithmetic(_ sign: RecordProgram.Arithmetic, _ other: RecordValue) -> RecordValue? {
    if case .text = self { return nil }
    if case .text = other { return nil }
    if case (.integer(let a), .integer(let b)) = (self, other), let result = sign.whole(a, b) {
      return .integer(result)
    }
    guard let a = double, let b = other.double else { return .null }
    let result = sign.real(a, b)
    return result.isNaN || sign.divides && b == 0 ? .null : .real(result)
  }

  /// The exact result; `nil` if there is none.
  func exact(_ sign: RecordProgram.Arithmetic, _ other: RecordValue) -> RecordValue? {
    switch (self, other) {
    case (.text, _), (_, .text): return nil
    case (.null, _), (_, .null): return .null
    case (.integer(let a), .integer(let b)): return sign.whole(a, b).map { .integer($0) }
    case (.integer, .real), (.real, .integer), (.real, .real):
      guard let a = double, let b = other.double, !(sign.divides && b == 0) else { return nil }
      let result = sign.real(a, b)
      return result.isFinite ? .real(result) : nil
    }
  }

  /// Whether both are equal, or NULL; `nil` if one is a number and the other a text.
  func isSame(as other: RecordValue) -> Bool? {
    switch (self, other) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    default: compared(to: other).map { $0 == 0 }
    }
  }

  /// Whether both are ordered; `nil` if one is a number and the other a text.
  func isOrdered(_ order: RecordProgram.Order, _ other: RecordValue) -> Bool? {
    if isNull || other.isNull {
      return isNull && other.isNull && order.holdsForEqual
    }
    return compared(to: other).map {
      switch order {
      case .less: $0 < 0
      case .lessOrEqual: $0 <= 0
      case .greater: $0 > 0
      case .greaterOrEqual: $0 >= 0
      }
    }
  }

  /// Less than 0, 0, or more; `nil` if one is a number and the other a text, or NULL.
  private func compared(to other: RecordValue) -> Int? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.real(let a), .real(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.integer(let a), .real(let b)): Self.compare(a, b)
    case (.real(let a), .integer(let b)): -Self.compare(b, a)
    case (.text(let a), .text(let b)): Self.compare(a, b)
    case (.null, _), (_, .null), (.text, _), (_, .text): nil
    }
  }

  private static func compare(_ whole: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let truncated = real.rounded(.towardZero)
    let other = Int64(truncated)
    if whole != other { return whole < other ? -1 : 1 }
    return truncated < real ? -1 : truncated == real ? 0 : 1
  }

  private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    if count > 0, let one = a.baseAddress, let other = b.baseAddress {
      let result = memcmp(one, other, count)
      if result != 0 { return Int(result) }
    }
    return a.count - b.count
  }

  /// The result of a function of numbers in their order; `nil` if one is a text, or there is none.
  static func folded(
    _ values: UnsafeMutableBufferPointer<RecordValue>,
    _ fold: RecordProgram.Fold
  ) -> RecordValue? {
    var count = 0
    for value in values where !value.isNull {
      guard value.double != nil else { return nil }
      var offset = count
      // Sorts the few numbers that there are. A sum of doubles, or one that overflows, depends on their order.
      while fold == .median, offset > 0, let order = values[offset - 1].compared(to: value),
        order > 0
      {
        values[offset] = values[offset - 1]
        offset -= 1
      }
      values[offset] = value
      count += 1
    }
    guard count > 0 else { return fold == .sum ? .integer(0) : .null }
    let (middle, isEven) = (count / 2, count.isMultiple(of: 2))
    switch fold {
    case .sum: return values[..<count].reduce(.integer(0)) { $0?.wholeSum($1) }
    case .average: return mean(values[..<count])
    case .median: return mean(values[(isEven ? middle - 1 : middle)...middle])
    }
  }

  private func wholeSum(_ other: RecordValue) -> RecordValue? {
    guard case (.integer, .integer) = (self, other) else { return nil }
    return exact(.sum, other)
  }

  private static func mean(_ values: Slice<UnsafeMutableBufferPointer<RecordValue>>) -> RecordValue?
  {
    let result = values.reduce(0) { $0 + ($1.double ?? 0) } / Double(values.count)
    return result.isFinite ? .real(result) : nil
  }

  /// Whether a text contains another one, begins or ends with it; `nil` if one is a number.
  func finds(_ part: RecordValue, _ operation: RecordProgram.Operation) -> RecordValue? {
    if isNull || part.isNull { return .truth(of: false) }
    guard case .text(let whole) = self, case .text(let part) = part else { return nil }
    guard part.count <= whole.count else { return .truth(of: false) }
    let (all, first) = (0...whole.count - part.count, part.first)
    let offsets: ClosedRange<Int> =
      switch operation {
      case .begins: 0...0
      case .ends: all.upperBound...all.upperBound
      default: all
      }
    return .truth(
      of:
        offsets.contains { offset in
          (first.map { whole[offset] == $0 } ?? true)
            && Self.compare(whole.part(offset..<offset + part.count), part) == 0
        }
    )
  }
}

extension RecordProgram.Arithmetic {
  fileprivate var divides: Bool {
    switch self {
    case .quotient, .remainder: true
    case .sum, .difference, .product: false
    }
  }

  fileprivate func whole(_ a: Int64, _ b: Int64) -> Int64? {
    if divides, b == 0 { return nil }
    let (result, overflow) =
      switch self {
      case .sum: a.addingReportingOverflow(b)
      case .difference: a.subtractingReportingOverflow(b)
      case .product: a.multipliedReportingOverflow(by: b)
      case .quotient: a.dividedReportingOverflow(by: b)
      // The remainder of the least integer overflows, too.
      case .remainder: b == -1 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
      }
    return overflow ? nil : result
  }

  fileprivate func real(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .sum: a + b
    case .difference: a - b
    case .product: a * b
    case .quotient: a / b
    case .remainder: a.truncatingRemainder(dividingBy: b)
    }
  }
}

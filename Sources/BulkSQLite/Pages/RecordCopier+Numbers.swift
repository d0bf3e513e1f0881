extension RecordCopier {
  /// A number, or NULL.
  enum Number {
    case null
    case integer(Int64)
    case real(Double)

    /// The number as a real; `nil` for NULL.
    var double: Double? {
      switch self {
      case .null: nil
      case .integer(let number): Double(number)
      case .real(let number): number
      }
    }
  }

  /// The value of an expression as SQL computes it; `nil` if it depends on a text or a blob.
  func value(_ expression: NumberExpression, _ bytes: UnsafeRawBufferPointer) -> Number? {
    switch expression {
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .column(let column):
      let place = places[column]
      if place.type == 0 { return .null }
      if place.type == 7 { return .real(source.real(place, bytes)) }
      guard let number = source.number(place, bytes) else { return nil }
      return source.reals.contains(column) ? .real(Double(number)) : .integer(number)
    case .sum(let one, let other):
      return combined(one, other, bytes, reals: +) { $0.addingReportingOverflow($1) }
    case .difference(let one, let other):
      return combined(one, other, bytes, reals: -) { $0.subtractingReportingOverflow($1) }
    case .product(let one, let other):
      return combined(one, other, bytes, reals: *) { $0.multipliedReportingOverflow(by: $1) }
    case .quotient(let one, let other):
      return combined(one, other, bytes) {
        $1 == 0 ? .nan : $0 / $1
      } integers: {
        $0.dividedReportingOverflow(by: $1)
      }
    }
  }

  @inline(__always)
  private func combined(
    _ one: NumberExpression,
    _ other: NumberExpression,
    _ bytes: UnsafeRawBufferPointer,
    reals: (Double, Double) -> Double,
    integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> Number? {
    guard let first = value(one, bytes), let second = value(other, bytes) else { return nil }
    if case .integer(let a) = first, case .integer(let b) = second {
      let (result, overflow) = integers(a, b)
      if !overflow { return .integer(result) }
    }
    guard let a = first.double, let b = second.double else { return .null }
    let result = reals(a, b)
    return result.isNaN ? .null : .real(result)
  }
}

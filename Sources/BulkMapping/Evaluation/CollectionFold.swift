internal import BulkModel

/// A function of a collection, computed incrementally from its elements.
struct CollectionFold {
  enum Form {
    case count, sum, average
    /// The element that compares to all others as an operator requires.
    case extreme(ValuePredicate.Operator)
  }

  private let selector: String
  private let form: Form
  private var count: Int64 = 0
  private var sum = Number.integer(0)
  /// The failure of the sum; a mean of doubles ignores it.
  private var sumFailure: EvaluationFailure?
  private var doubles = 0.0
  private var isDecimal = false
  private var best: EvaluatedValue?
  private lazy var comparison = ValueComparison(TextComparing())

  init(_ form: Form, of selector: String) { (self.form, self.selector) = (form, selector) }

  mutating func add(_ element: EvaluatedValue) throws(EvaluationFailure) {
    switch form {
    case .count: count += 1
    case .extreme(let better):
      guard !element.isNull else { return }
      if let found = best, try !comparison.holds(element, better, found) { return }
      best = element
    case .sum, .average:
      guard !element.isNull else { return }
      try add(element.number(for: selector))
    }
  }

  private mutating func add(_ number: Number) throws(EvaluationFailure) {
    count += 1
    if case .decimal = number { isDecimal = true }
    doubles += number.double
    guard sumFailure == nil else { return }
    do throws(EvaluationFailure) {
      sum = try NumberArithmetic.result(of: .add, sum, number)
    } catch {
      sumFailure = isDecimal ? .decimal(selector) : .overflow(selector)
    }
  }

  func result() throws(EvaluationFailure) -> EvaluatedValue {
    switch form {
    case .count: return .attribute(.integer(count))
    case .extreme: return best ?? .null
    case .average:
      guard count > 0 else { return .null }
      guard isDecimal else { return .attribute(Number.double(doubles / Double(count)).value) }
      if let sumFailure { throw sumFailure }
      let mean = try NumberArithmetic.result(of: .divide, sum, Number.integer(count))
      return .attribute(mean.value)
    case .sum:
      if let sumFailure { throw sumFailure }
      return .attribute(sum.value)
    }
  }
}

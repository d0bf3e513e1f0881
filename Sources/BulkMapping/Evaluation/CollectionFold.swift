internal import BulkModel

/// A function of a collection whose elements come one after the other.
///
/// It computes what ``CollectionFunction`` computes of all of them at once, by the same steps in the
/// same order.
struct CollectionFold {
  private let function: ExpressionFunction
  private var count: Int64 = 0
  private var sum = Number.integer(0)
  /// What went wrong with the sum; a mean of doubles does not ask for it.
  private var sumFailure: EvaluationFailure?
  private var doubles = 0.0
  private var isDecimal = false
  private var best: EvaluatedValue?
  private var comparison = ValueComparison(TextComparing())

  /// A fold; `nil` for functions that need all elements at once.
  init?(_ function: ExpressionFunction) {
    switch function {
    case .count, .sum, .average, .minimum, .maximum: self.function = function
    default: return nil
    }
  }

  /// Takes an element.
  mutating func add(_ element: EvaluatedValue) throws(EvaluationFailure) {
    if function == .count {
      count += 1
      return
    }
    guard !element.isNull else { return }
    switch function {
    case .minimum, .maximum:
      let better: ValuePredicate.Operator = function == .minimum ? .lessThan : .greaterThan
      guard let found = best else {
        best = element
        return
      }
      if try comparison.holds(element, better, found) { best = element }
    default: try add(FunctionCall.number(function, element))
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
      sumFailure = error
    }
  }

  /// The value for all elements that were taken.
  func result() throws(EvaluationFailure) -> EvaluatedValue {
    switch function {
    case .count: return .attribute(.integer(count))
    case .minimum, .maximum: return best ?? .null
    case .average:
      guard count > 0 else { return .null }
      guard isDecimal else { return .attribute(Number.double(doubles / Double(count)).value) }
      if let sumFailure { throw sumFailure }
      let mean = try NumberArithmetic.result(of: .divide, sum, Number.integer(count))
      return .attribute(mean.value)
    default:
      if let sumFailure { throw sumFailure }
      return .attribute(sum.value)
    }
  }
}

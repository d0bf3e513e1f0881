/// A function whose value follows from its arguments alone.
///
/// The raw value is the selector, or the collection operator of a key path.
package enum ExpressionFunction: String, Hashable, Sendable, CaseIterable {
  case sum = "sum:"
  case count = "count:"
  case minimum = "min:"
  case maximum = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncate = "trunc:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case noIndex = "noindex:"
  case element = "objectFrom:withIndex:"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// The function of a collection operator, by the operator's name with `@`.
  init?(collectionOperator name: String) {
    switch name {
    case "@count": self = .count
    case "@sum": self = .sum
    case "@avg": self = .average
    case "@min": self = .minimum
    case "@max": self = .maximum
    default:
      guard name.hasPrefix("@") else { return nil }
      self.init(rawValue: name)
    }
  }

  /// The names of all collection operators.
  static let collectionOperators =
    ["@count", "@sum", "@avg", "@min", "@max"] + allCases.map(\.rawValue).filter { $0.first == "@" }
}

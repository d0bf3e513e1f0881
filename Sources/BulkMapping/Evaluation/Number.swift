internal import BulkModel
internal import Foundation

/// A number in one of the three ways in which expressions reckon; a Boolean is an integer.
enum Number: Hashable {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  /// The number that a value is; `nil` for a value that is none.
  init?(_ value: AttributeValue) {
    switch value {
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .decimal(let number): self = .decimal(number)
    case .null, .string, .date, .binary, .uuid, .uri: return nil
    }
  }

  /// The number as a value; a double that is no number is nil, since no store can hold it.
  var value: AttributeValue {
    switch self {
    case .integer(let number): .integer(number)
    case .double(let number): number.isNaN ? .null : .double(number)
    case .decimal(let number): .decimal(number)
    }
  }

  /// The nearest double.
  var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Self.double(nearestTo: number)
    }
  }

  /// The number as a decimal one; `nil` where 38 digits cannot say it.
  var decimal: Decimal? {
    switch self {
    case .integer(let number): return Decimal(number)
    case .double(let number):
      guard number.isFinite, let result = Decimal(string: number.description, locale: nil) else {
        return nil
      }
      // Digits too small to be kept would silently become zero.
      return result.isNaN || (result.isZero && number != 0) ? nil : result
    case .decimal(let number): return number
    }
  }

  /// The whole part, as `NSNumber` gives it; `nil` outside of 64 bits.
  var integer: Int64? {
    switch self {
    case .integer(let number): return number
    case .double(let number): return Int64(exactly: number.rounded(.towardZero))
    case .decimal(let number): return Self.truncated(number).flatMap { Self.whole($0) }
    }
  }

  var isZero: Bool {
    switch self {
    case .integer(let number): number == 0
    case .double(let number): number == 0
    case .decimal(let number): number.isZero
    }
  }

  /// The double nearest to a decimal number.
  ///
  /// `NSDecimalNumber` multiplies by ten again and again and is off in the last bits; the text is
  /// exact.
  static func double(nearestTo number: Decimal) -> Double {
    Double(number.description) ?? NSDecimalNumber(decimal: number).doubleValue
  }

  /// A decimal number without its fraction.
  static func truncated(_ number: Decimal) -> Decimal? {
    var operand = number
    var result = Decimal()
    // Foundation takes both numbers by their places, and keeps neither.
    unsafe NSDecimalRound(&result, &operand, 0, number.isSignMinus ? .up : .down)
    return result.isNaN ? nil : result
  }

  /// The integer that a whole decimal number is; `nil` outside of 64 bits.
  static func whole(_ number: Decimal) -> Int64? { Int64(number.description) }
}

extension Number {
  /// Which of two numbers is the greater; `nil` if one of them is no number at all.
  ///
  /// Integers, and an integer and a number of another kind, compare exactly; a decimal number and a
  /// double compare as doubles, which is how a store keeps both.
  func compare(_ other: Number) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): Self.order(first, second)
    case (.decimal(let first), .decimal(let second)): Self.order(first, second)
    case (.integer(let first), .decimal(let second)): Self.order(Decimal(first), second)
    case (.decimal(let first), .integer(let second)): Self.order(first, Decimal(second))
    case (.integer(let first), .double(let second)): Self.order(first, second)
    case (.double(let first), .integer(let second)):
      Self.order(second, first).map { Self.reversed($0) }
    case (.double, .double), (.double, .decimal), (.decimal, .double):
      Self.order(double, other.double)
    }
  }

  private static func order<T: Comparable>(_ first: T, _ second: T) -> ComparisonResult? {
    if first < second { return .orderedAscending }
    if first > second { return .orderedDescending }
    return first == second ? .orderedSame : nil
  }

  /// Compares without rounding the integer to a double.
  private static func order(_ whole: Int64, _ real: Double) -> ComparisonResult? {
    guard let below = Int64(exactly: real.rounded(.down)) else {
      // Beyond 64 bits, or no number.
      return order(0.0, real)
    }
    if whole != below { return order(whole, below) }
    return real.rounded(.down) < real ? .orderedAscending : .orderedSame
  }

  private static func reversed(_ result: ComparisonResult) -> ComparisonResult {
    switch result {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }
}

internal import BulkModel
internal import BulkSupport

/// A number in one of the three representations of expressions; a Boolean is an integer.
enum Number: Hashable {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  init?(_ value: AttributeValue) {
    switch value {
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .decimal(let number): self = .decimal(number)
    case .null, .string, .date, .binary, .uuid, .uri: return nil
    }
  }

  /// The number as a value; a NaN becomes nil, because no store can hold it.
  var value: AttributeValue {
    switch self {
    case .integer(let number): .integer(number)
    case .double(let number): number.isNaN ? .null : .double(number)
    case .decimal(let number): .decimal(number)
    }
  }

  var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Self.double(nearestTo: number)
    }
  }

  /// The number as a decimal; `nil` if it does not fit into 38 digits.
  var decimal: Decimal? {
    switch self {
    case .integer(let number): return Decimal(number)
    case .double(let number):
      guard number.isFinite, let result = Decimal(string: number.description, locale: nil) else {
        return nil
      }
      // Otherwise digits too small to keep would silently become zero.
      return result.isNaN || (result.isZero && number != 0) ? nil : result
    case .decimal(let number): return number
    }
  }

  /// The integer part, as in `NSNumber`; `nil` outside 64 bits.
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
  /// `NSDecimalNumber` multiplies by ten repeatedly and is inexact in the last bits; parsing the text is
  /// exact.
  static func double(nearestTo number: Decimal) -> Double { Double(number.description) ?? .nan }

  static func truncated(_ number: Decimal) -> Decimal? {
    guard !number.isNaN, number.exponent < 0 else { return number.isNaN ? nil : number }
    return Decimal(string: String(number.description.prefix { $0 != "." }))
  }

  static func whole(_ number: Decimal) -> Int64? { Int64(number.description) }

  /// The order of two numbers; `nil` if one of them is NaN.
  ///
  /// Integers compare exactly, with each other and with other kinds; a decimal number and a double compare as
  /// doubles, because that is how a store keeps both.
  func compare(_ other: Number) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): Self.order(first, second)
    case (.decimal(let first), .decimal(let second)): Self.order(first, second)
    case (.integer(let first), .decimal(let second)): Self.order(Decimal(first), second)
    case (.decimal(let first), .integer(let second)): Self.order(first, Decimal(second))
    case (.integer(let first), .double(let second)): Self.order(first, second)
    case (.double(let first), .integer(let second)):
      Self.order(second, first).flatMap { ComparisonResult(rawValue: -$0.rawValue) }
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
      // Outside 64 bits, or NaN.
      return order(0.0, real)
    }
    if whole != below { return order(whole, below) }
    return real.rounded(.down) < real ? .orderedAscending : .orderedSame
  }
}

/// The number at the beginning of a text, behind white space, as `NSString` reads it.
///
/// What follows the number does not count, and a text that begins with none is 0.
/// Source: `integerValue`, `doubleValue` and `boolValue` in Apple's reference of `NSString`.
struct WrittenNumber {
  private let isNegative: Bool
  /// The text behind the sign.
  private let rest: Substring.UTF8View
  private let whole: Substring.UTF8View

  init(_ text: String) {
    let spaces = CharacterSetConstant.spaces
    let start = text.unicodeScalars.firstIndex { !spaces.contains($0) } ?? text.endIndex
    (isNegative, rest) = Self.sign(text[start...].utf8)
    whole = rest.prefix(while: Self.isDigit)
  }

  /// The integer; the nearest one of 64 bits if it has more.
  var integer: Int64 {
    guard !whole.isEmpty else { return 0 }
    return Int64((isNegative ? "-" : "") + String(Substring(whole))) ?? (isNegative ? .min : .max)
  }

  /// The decimal number with fraction and exponent; infinite if it is too large.
  var double: Double {
    var text = rest.dropFirst(whole.count)
    var fraction = text.prefix(0)
    if text.first == UInt8(ascii: ".") {
      fraction = text.dropFirst().prefix(while: Self.isDigit)
      text = text.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return 0 }
    let digits = "0\(Substring(whole)).\(Substring(fraction))0"
    let number = Double(digits + Self.exponent(text)) ?? 0
    return isNegative ? -number : number
  }

  /// Whether it begins with Y, T or a digit other than 0, zeros and a sign before it aside.
  var isTrue: Bool {
    guard let first = rest.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
    return Self.isDigit(first) || "YyTt".utf8.contains(first)
  }

  /// The exponent, if the text begins with a whole one.
  private static func exponent(_ text: Substring.UTF8View) -> String {
    guard let first = text.first, first | 0x20 == UInt8(ascii: "e") else { return "" }
    let (isNegative, rest) = sign(text.dropFirst())
    let digits = rest.prefix(while: isDigit)
    guard !digits.isEmpty else { return "" }
    // Any longer exponent is too large as well, and would not be read.
    let written = digits.drop { $0 == UInt8(ascii: "0") }.prefix(5)
    return "e" + (isNegative ? "-" : "") + "0\(Substring(written))"
  }

  private static func sign(
    _ text: Substring.UTF8View
  ) -> (isNegative: Bool, rest: Substring.UTF8View) {
    let isNegative = text.first == UInt8(ascii: "-")
    return (isNegative, text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

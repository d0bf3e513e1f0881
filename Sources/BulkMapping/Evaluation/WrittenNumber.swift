/// The number at the beginning of a text, behind white space, as `NSString` reads it.
///
/// What follows the number does not count, and a text that begins with none is 0.
/// Source: `integerValue`, `doubleValue` and `boolValue` in Apple's reference of `NSString`.
struct WrittenNumber {
  private let text: Substring.UTF8View

  init(_ text: String) {
    let spaces = CharacterSetConstant(.whitespaceAndNewline)
    let start = text.unicodeScalars.firstIndex { !spaces.contains($0) } ?? text.endIndex
    self.text = text[start...].utf8
  }

  /// The integer; the nearest one of 64 bits if it has more.
  var integer: Int64 {
    var rest = text
    let isNegative = Self.skipSign(&rest)
    var number: Int64 = 0
    for digit in rest.prefix(while: Self.isDigit) {
      let (tens, first) = number.multipliedReportingOverflow(by: 10)
      let value = Int64(digit - UInt8(ascii: "0"))
      let (sum, second) =
        isNegative ? tens.subtractingReportingOverflow(value) : tens.addingReportingOverflow(value)
      guard !first, !second else { return isNegative ? .min : .max }
      number = sum
    }
    return number
  }

  /// The decimal number with fraction and exponent; infinite if it is too large.
  var double: Double {
    var rest = text
    let isNegative = Self.skipSign(&rest)
    var digits = String(Substring(rest.prefix(while: Self.isDigit)))
    rest = rest.dropFirst(digits.utf8.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: Self.isDigit)
      rest = rest.dropFirst(1 + fraction.count)
      if digits.isEmpty, fraction.isEmpty { return 0 }
      digits += "." + String(Substring(fraction))
    }
    guard digits.utf8.contains(where: Self.isDigit) else { return 0 }
    let number = Double(Self.completed(digits) + Self.exponent(rest)) ?? 0
    return isNegative ? -number : number
  }

  /// Whether it begins with Y, T or a digit other than 0, zeros and a sign before it aside.
  var isTrue: Bool {
    var rest = text
    _ = Self.skipSign(&rest)
    guard let first = rest.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
    return (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first)
      || "YyTt".utf8.contains(first)
  }

  /// The digits with one before and one behind the point.
  private static func completed(_ digits: String) -> String {
    (digits.hasPrefix(".") ? "0" : "") + digits + (digits.hasSuffix(".") ? "0" : "")
  }

  /// The exponent, if the text begins with a whole one.
  private static func exponent(_ text: Substring.UTF8View) -> String {
    guard let first = text.first, first | 0x20 == UInt8(ascii: "e") else { return "" }
    var rest = text.dropFirst()
    let isNegative = skipSign(&rest)
    let digits = rest.prefix(while: isDigit).drop { $0 == UInt8(ascii: "0") }
    guard rest.first.map(isDigit) == true else { return "" }
    // Any longer exponent is too large as well, and would not be read.
    let written = digits.isEmpty ? "0" : String(Substring(digits.prefix(5)))
    return "e" + (isNegative ? "-" : "") + written
  }

  private static func skipSign(_ text: inout Substring.UTF8View) -> Bool {
    guard let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else {
      return false
    }
    text = text.dropFirst()
    return first == UInt8(ascii: "-")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// The archived form of a decimal number.
///
/// `NS.mantissa` holds eight 16-bit digits, least significant first, each in the byte order that
/// `NS.mantissa.bo` gives (1 little-endian, 2 big-endian); `NS.length` counts the digits in use. The
/// value is the mantissa times ten to the power `NS.exponent`, negative with `NS.negative`. A
/// negative number without digits is not a number (NSDecimal.h).
enum ArchivedDecimal {
  static let mantissaLength = 16
  /// The class that Core Data's archives use.
  static let classChain = KeyedArchiveWriter.ClassChain(
    "NSDecimalNumberPlaceholder",
    "NSDecimalNumber",
    "NSNumber",
    "NSValue"
  )

  static func mantissa(of decimal: Decimal) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: mantissaLength)
    guard !decimal.isNaN else { return bytes }
    // The text of a number without an exponent is its digits, at most 39.
    for digit in decimal.significand.description.utf8 where (0x30...0x39).contains(digit) {
      var carry = Int(digit - 0x30)
      for index in bytes.indices {
        carry += Int(bytes[index]) * 10
        bytes[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
    }
    return bytes
  }
}

extension ArchivedObject {
  package var decimal: Decimal? {
    guard
      let bytes = self["NS.mantissa"]?.data, bytes.count == ArchivedDecimal.mantissaLength,
      let exponent = self["NS.exponent"]?.integer.flatMap(Int8.init(exactly:))
    else { return nil }
    let digits = stride(from: bytes.count - 2, through: 0, by: -2).map { bytes[$0..<($0 + 2)] }
    let isBigEndian = self["NS.mantissa.bo"]?.integer == 2
    let isNegative = self["NS.negative"]?.boolean ?? false
    // Most significant byte first.
    let mantissa = digits.flatMap { isBigEndian ? Array($0) : $0.reversed() }
    if mantissa.allSatisfy({ $0 == 0 }) { return isNegative ? Decimal.nan : 0 }
    return Decimal(
      sign: isNegative ? .minus : .plus,
      exponent: Int(exponent),
      significand: mantissa.reduce(Decimal(0)) { $0 * 256 + Decimal(Int($1)) }
    )
  }
}

extension KeyedArchiveWriter {
  package mutating func add(_ decimal: Decimal) -> PropertyList {
    let mantissa = ArchivedDecimal.mantissa(of: decimal)
    let length = mantissa.lastIndex { $0 != 0 }.map { $0 / 2 + 1 } ?? 0
    let isNotANumber = decimal.isNaN
    return add(
      class: ArchivedDecimal.classChain,
      [
        "NS.mantissa": .data(mantissa),
        "NS.mantissa.bo": .integer(1),
        "NS.length": .integer(Int64(length)),
        "NS.exponent": .integer(isNotANumber ? 0 : Int64(decimal.exponent)),
        "NS.negative": .boolean(isNotANumber || decimal.sign == .minus),
        "NS.compact": .boolean(false),
      ]
    )
  }
}

/// A number of bytes: a size, a limit, or the difference of two.
public struct ByteCount: Codable, Hashable, Sendable {
  /// The number of bytes; negative only as a difference.
  public var bytes: Int64

  /// A count of single bytes.
  @inlinable
  public init(bytes: Int64) {
    self.bytes = bytes
  }

  /// A count of zero bytes.
  public static let zero = ByteCount(bytes: 0)

  /// A multiple of 1024 bytes.
  public static func kibibytes(_ count: Int64) -> ByteCount {
    ByteCount(bytes: count * 1024)
  }

  /// A multiple of 1024² bytes.
  public static func mebibytes(_ count: Int64) -> ByteCount {
    ByteCount(bytes: count * 1024 * 1024)
  }

  /// A multiple of 1024³ bytes.
  public static func gibibytes(_ count: Int64) -> ByteCount {
    ByteCount(bytes: count * 1024 * 1024 * 1024)
  }
}

extension ByteCount: Comparable {
  /// Compares two counts by their number of bytes.
  @inlinable
  public static func < (left: ByteCount, right: ByteCount) -> Bool {
    left.bytes < right.bytes
  }
}

extension ByteCount: AdditiveArithmetic {
  /// The sum of two counts.
  @inlinable
  public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(bytes: left.bytes + right.bytes)
  }

  /// The difference of two counts, which is negative if the second is the larger one.
  @inlinable
  public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(bytes: left.bytes - right.bytes)
  }
}

extension ByteCount {
  /// A count repeated a number of times.
  @inlinable
  public static func * (count: ByteCount, times: Int64) -> ByteCount {
    ByteCount(bytes: count.bytes * times)
  }

  /// An equal share of a count, rounded down to whole bytes.
  @inlinable
  public static func / (count: ByteCount, shares: Int64) -> ByteCount {
    ByteCount(bytes: count.bytes / shares)
  }
}

extension ByteCount: CustomStringConvertible {
  /// The count in the largest unit that leaves at least 1, as `17 bytes`, `256 MiB` or `1.4 GiB`.
  ///
  /// Units are powers of 1024. One decimal is given below 100, and left out where it is a zero.
  public var description: String {
    let sign = bytes < 0 ? "-" : ""
    guard bytes.magnitude >= 1024 else {
      return "\(sign)\(bytes.magnitude) \(bytes.magnitude == 1 ? "byte" : "bytes")"
    }
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var number = Double(bytes.magnitude) / 1024
    var unit = 0
    // A value that would print as 1024 moves to the next unit.
    while number.rounded() >= 1024 {
      number /= 1024
      unit += 1
    }
    return "\(sign)\(Self.shortText(of: number)) \(units[unit])"
  }

  private static func shortText(of number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    guard tenths < 1000, tenths % 10 != 0 else { return "\(Int(number.rounded()))" }
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension Int64 {
  /// The number with thousands separators, as `1,234,567`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}

extension Duration {
  /// The time in its two largest units, as `0.4s`, `12s`, `1m 03s` or `2h 05m`.
  ///
  /// Only times below 10 seconds have a decimal.
  package var short: String {
    let (whole, attoseconds) = components
    let tenths = whole * 10 + (attoseconds / 50_000_000_000_000_000 + 1) / 2
    guard tenths >= 100 else { return "\(tenths / 10).\(tenths % 10)s" }
    let seconds = whole + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0)
    if seconds < 60 { return "\(seconds)s" }
    if seconds < 3600 { return "\(seconds / 60)m \(Self.twoDigits(seconds % 60))s" }
    return "\(seconds / 3600)h \(Self.twoDigits(seconds % 3600 / 60))m"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

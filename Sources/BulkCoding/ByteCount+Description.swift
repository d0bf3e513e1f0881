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
    // What would be printed as 1024 belongs to the next unit.
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

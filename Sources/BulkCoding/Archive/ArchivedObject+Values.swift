package import Foundation

extension ArchivedObject {
  /// The Boolean of a flag or an `NSNumber`.
  package var boolean: Bool? { value.boolean }

  /// The integer of an `NSNumber`.
  package var integer: Int64? {
    if case .boolean(let flag) = value { return flag ? 1 : 0 }
    return value.integer
  }

  /// The number of an `NSNumber`, whether it has a fraction or not.
  package var double: Double? {
    switch value {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .boolean, .date, .data, .string, .uid, .array, .dictionary, .null: nil
    }
  }

  /// The property list value where the thing is one, and no object with a class.
  package var plainValue: PropertyList? { className == nil ? value : nil }

  /// The seconds since 2001-01-01 00:00:00 UTC of an `NSDate`.
  package var date: Double? {
    if case .date(let seconds) = value { return seconds }
    return self["NS.time"]?.double
  }

  /// The bytes of an `NSData`, immutable or not.
  package var data: [UInt8]? { value.data ?? self["NS.data"]?.value.data }

  /// The UUID of an `NSUUID`.
  package var uuid: UUID? {
    guard let bytes = self["NS.uuidbytes"]?.value.data, bytes.count == 16 else { return nil }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      )
    )
  }

  /// The text of an `NSURL`, behind that of its base if it has one.
  package var url: String? {
    guard let relative = self["NS.relative"]?.string else { return nil }
    guard let base = self["NS.base"]?["NS.relative"]?.string else { return relative }
    guard let url = URL(string: relative, relativeTo: URL(string: base)) else { return nil }
    return url.absoluteString
  }
}

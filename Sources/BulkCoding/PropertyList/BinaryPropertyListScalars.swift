/// Reads the objects of a binary property list that are not containers.
///
/// The high half of a marker is the type, the low half a size or a count; a count of 15 means that an integer
/// object with the count follows.
struct BinaryPropertyListScalars {
  let bytes: [UInt8]
  var offset: Int
  let end: Int
  private let start: Int

  init(bytes: [UInt8], offset: Int, end: Int) {
    self.bytes = bytes
    self.offset = offset
    self.end = end
    start = offset
  }

  mutating func scalar() throws(CodingError) -> PropertyList {
    let low = Int(bytes[offset] & 0xF)
    switch bytes[offset] {
    case 0x00: return .null
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    case 0x10...0x14: return try integer(width: 1 << low)
    case 0x22: return .real(Double(Float(bitPattern: UInt32(try unsigned(width: 4)))))
    case 0x23: return .real(Double(bitPattern: try unsigned(width: 8)))
    case 0x33: return .date(Double(bitPattern: try unsigned(width: 8)))
    case 0x40...0x4F: return .data(Array(try body(unit: 1)))
    case 0x50...0x5F: return try ascii()
    case 0x60...0x6F: return try utf16()
    case 0x70...0x7F: return try utf8()
    case 0x80...0x8F: return try uid(width: low + 1)
    default:
      throw .invalid("object", offset: start, reason: "has the unknown marker \(bytes[offset])")
    }
  }

  /// The count of the object; moves the offset to its body.
  mutating func count() throws(CodingError) -> Int {
    let low = Int(bytes[offset] & 0xF)
    offset += 1
    guard low == 0xF else { return low }
    guard offset < end else { throw .truncated("a count", offset: start) }
    guard (0x10...0x13).contains(bytes[offset]) else {
      throw .invalid("object", offset: start, reason: "has a count that is not an integer")
    }
    let width = 1 << Int(bytes[offset] & 0xF)
    let value = try unsigned(width: width)
    offset += 1 + width
    guard let count = Int(exactly: value) else {
      throw .truncated("an object of \(value) elements", offset: start)
    }
    return count
  }

  /// An integer after the marker at `offset`, which does not move.
  private func unsigned(width: Int) throws(CodingError) -> UInt64 {
    guard width < end - offset else { throw .truncated("a number", offset: start) }
    return BigEndian.unsigned(bytes, at: offset + 1, width: width)
  }

  /// Widths below 8 are unsigned, 8 is signed, 16 holds values that exceed 8 bytes.
  private func integer(width: Int) throws(CodingError) -> PropertyList {
    guard width == 16 else {
      return .integer(Int64(bitPattern: try unsigned(width: width)))
    }
    guard width < end - offset else { throw .truncated("a number", offset: start) }
    let high = BigEndian.unsigned(bytes, at: offset + 1, width: 8)
    let low = BigEndian.unsigned(bytes, at: offset + 9, width: 8)
    let signed = Int64(bitPattern: low)
    if high == (signed < 0 ? UInt64.max : 0) { return .integer(signed) }
    guard high == 0 else {
      throw .invalid("integer", offset: start, reason: "does not fit 64 bits")
    }
    return .unsigned(low)
  }

  private func uid(width: Int) throws(CodingError) -> PropertyList {
    guard width <= 8, let value = Int(exactly: try unsigned(width: width)) else {
      throw .invalid("reference", offset: start, reason: "does not fit 63 bits")
    }
    return .uid(value)
  }

  private mutating func body(unit: Int) throws(CodingError) -> ArraySlice<UInt8> {
    let count = try self.count()
    let (length, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow, length <= end - offset else {
      throw .truncated("an object of \(count) elements", offset: start)
    }
    return bytes[offset..<(offset + length)]
  }

  private mutating func ascii() throws(CodingError) -> PropertyList {
    let body = try body(unit: 1)
    guard body.allSatisfy({ $0 < 0x80 }) else {
      throw .invalid("ASCII string", offset: start, reason: "has a byte above 127")
    }
    return .string(String(decoding: body, as: UTF8.self))
  }

  private mutating func utf8() throws(CodingError) -> PropertyList {
    guard let text = String(validating: try body(unit: 1), as: UTF8.self) else {
      throw .invalid("UTF-8 string", offset: start, reason: "is not UTF-8")
    }
    return .string(text)
  }

  private mutating func utf16() throws(CodingError) -> PropertyList {
    let body = try body(unit: 2)
    let units = stride(from: body.startIndex, to: body.endIndex, by: 2)
      .map { UInt16(body[$0]) << 8 | UInt16(body[$0 + 1]) }
    return .string(String(decoding: units, as: UTF16.self))
  }
}

/// The offsets of the parts of a binary property list, read from its 32-byte trailer.
///
/// Trailer: 6 unused bytes, the width of an offset, the width of a reference, then three 8-byte
/// integers: the number of objects, the top object, and the offset of the offset table.
struct BinaryPropertyListLayout {
  private static let trailerLength = 32

  let referenceWidth: Int
  let objectCount: Int
  let topObject: Int
  /// The end of the objects and the beginning of the offset table.
  let objectsEnd: Int
  let nodeLimit: Int
  private let offsetWidth: Int

  init(of bytes: [UInt8]) throws(CodingError) {
    guard bytes.starts(with: BinaryPropertyListReader.magic) else {
      throw .notA("binary property list", reason: "it does not begin with bplist00")
    }
    let trailer = bytes.count - Self.trailerLength
    guard trailer >= BinaryPropertyListReader.magic.count else {
      throw .truncated("the trailer of a binary property list", offset: bytes.count)
    }
    func fault(_ reason: String) -> CodingError {
      .invalid("the trailer of a binary property list", offset: trailer, reason: reason)
    }
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw fault("gives integers of \(offsetWidth) and \(referenceWidth) bytes")
    }
    let count = BigEndian.unsigned(bytes, at: trailer + 8, width: 8)
    let top = BigEndian.unsigned(bytes, at: trailer + 16, width: 8)
    let table = BigEndian.unsigned(bytes, at: trailer + 24, width: 8)
    guard table >= BinaryPropertyListReader.magic.count, table <= trailer else {
      throw fault("puts the offset table at \(table), outside of the file")
    }
    objectsEnd = Int(table)
    guard count <= (trailer - objectsEnd) / offsetWidth else {
      throw fault("promises \(count) objects, more than the offset table holds")
    }
    objectCount = Int(count)
    guard top < count else { throw fault("makes object \(top) of \(count) the top object") }
    topObject = Int(top)
    nodeLimit = bytes.count * BinaryPropertyListReader.nodesPerByte
  }

  /// The offset of an object.
  func offset(of index: Int, in bytes: [UInt8]) throws(CodingError) -> Int {
    let entry = objectsEnd + index * offsetWidth
    let offset = BigEndian.unsigned(bytes, at: entry, width: offsetWidth)
    guard offset >= BinaryPropertyListReader.magic.count, offset < objectsEnd else {
      throw .invalid(
        "an entry of the offset table",
        offset: entry,
        reason: "puts object \(index) at \(offset), outside of the objects"
      )
    }
    return Int(offset)
  }
}

/// Big-endian integers in a byte array.
enum BigEndian {
  /// An unsigned integer of 1 to 8 bytes, which must be in bounds.
  static func unsigned(_ bytes: [UInt8], at offset: Int, width: Int) -> UInt64 {
    bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Appends the least significant bytes of an integer.
  static func append(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}

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

/// Writes binary property lists (`bplist00`) as CFBinaryPList.c reads them.
///
/// Equal values give equal bytes: dictionary entries are sorted by the code units of their keys, and equal
/// scalars are written once. See ``BinaryPropertyListReader`` for the layout.
package struct BinaryPropertyListWriter {
  /// An object to be written; containers refer to others by number.
  private enum Object {
    case scalar(PropertyList)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var numbers: [PropertyList: Int] = [:]
  private var wideStrings: [[UInt8]: Int] = [:]

  /// The bytes of a property list.
  package static func write(_ list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(list)
    return writer.bytes()
  }

  private mutating func add(_ list: PropertyList) -> Int {
    switch list {
    case .array(let elements):
      let number = reserve()
      objects[number] = .array(elements.map { add($0) })
      return number
    case .dictionary(let entries):
      let number = reserve()
      let sorted = entries.sorted { $0.key.precedesByCodeUnit($1.key) }
      let keys = sorted.map { add(.string($0.key)) }
      objects[number] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
      return number
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .uid, .null:
      return addScalar(list)
    }
  }

  private mutating func reserve() -> Int {
    objects.append(.array([]))
    return objects.count - 1
  }

  private mutating func addScalar(_ list: PropertyList) -> Int {
    // Swift treats 0.0 and -0.0, and both normal forms of a text, as equal; their bytes differ.
    let next = objects.count
    var number = next
    switch list {
    case .string(let text) where !text.utf8.allSatisfy({ $0 < 0x80 }):
      number = Self.number(of: Array(text.utf8), in: &wideStrings, orElse: next)
    case .real(0), .date(0): break
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .uid, .array, .dictionary,
      .null:
      number = Self.number(of: list, in: &numbers, orElse: next)
    }
    if number == next { objects.append(.scalar(list)) }
    return number
  }

  private static func number<Key: Hashable>(
    of key: Key,
    in numbers: inout [Key: Int],
    orElse next: Int
  ) -> Int {
    if let number = numbers[key] { return number }
    numbers[key] = next
    return next
  }

  private func bytes() -> [UInt8] {
    var bytes = BinaryPropertyListReader.magic
    var offsets: [Int] = []
    offsets.reserveCapacity(objects.count)
    let referenceWidth = Self.width(of: objects.count - 1)
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let value): Self.append(value, to: &bytes)
      case .array(let references):
        Self.append(marker: 0xA0, count: references.count, to: &bytes)
        for reference in references {
          BigEndian.append(UInt64(reference), width: referenceWidth, to: &bytes)
        }
      case .dictionary(let keys, let values):
        Self.append(marker: 0xD0, count: keys.count, to: &bytes)
        for reference in keys + values {
          BigEndian.append(UInt64(reference), width: referenceWidth, to: &bytes)
        }
      }
    }
    appendTrailer(offsets: offsets, referenceWidth: referenceWidth, to: &bytes)
    return bytes
  }

  private func appendTrailer(offsets: [Int], referenceWidth: Int, to bytes: inout [UInt8]) {
    let table = bytes.count
    let offsetWidth = Self.width(of: table)
    for offset in offsets {
      BigEndian.append(UInt64(offset), width: offsetWidth, to: &bytes)
    }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    BigEndian.append(UInt64(objects.count), width: 8, to: &bytes)
    BigEndian.append(0, width: 8, to: &bytes)
    BigEndian.append(UInt64(table), width: 8, to: &bytes)
  }

  /// The least of 1, 2, 4 and 8 bytes that can hold a number.
  private static func width(of number: Int) -> Int {
    switch number {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }

  private static func append(_ scalar: PropertyList, to bytes: inout [UInt8]) {
    switch scalar {
    case .null, .array, .dictionary: bytes.append(0x00)
    case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): append(integer: value, to: &bytes)
    case .unsigned(let value):
      bytes.append(0x14)
      BigEndian.append(0, width: 8, to: &bytes)
      BigEndian.append(value, width: 8, to: &bytes)
    case .real(let value):
      bytes.append(0x23)
      BigEndian.append(value.bitPattern, width: 8, to: &bytes)
    case .date(let value):
      bytes.append(0x33)
      BigEndian.append(value.bitPattern, width: 8, to: &bytes)
    case .data(let value):
      append(marker: 0x40, count: value.count, to: &bytes)
      bytes += value
    case .string(let value): append(string: value, to: &bytes)
    case .uid(let value):
      precondition(value >= 0, "a reference counts from 0")
      let width = width(of: value)
      bytes.append(0x80 | UInt8(width - 1))
      BigEndian.append(UInt64(value), width: width, to: &bytes)
    }
  }

  /// Only 8-byte integers have a sign.
  private static func append(integer value: Int64, to bytes: inout [UInt8]) {
    let width = value < 0 ? 8 : width(of: Int(value))
    bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
    BigEndian.append(UInt64(bitPattern: value), width: width, to: &bytes)
  }

  private static func append(string value: String, to bytes: inout [UInt8]) {
    let utf8 = value.utf8
    guard utf8.allSatisfy({ $0 < 0x80 }) else {
      let units = Array(value.utf16)
      append(marker: 0x60, count: units.count, to: &bytes)
      for unit in units { BigEndian.append(UInt64(unit), width: 2, to: &bytes) }
      return
    }
    append(marker: 0x50, count: utf8.count, to: &bytes)
    bytes.append(contentsOf: utf8)
  }

  private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    guard count >= 15 else {
      bytes.append(marker | UInt8(count))
      return
    }
    bytes.append(marker | 0xF)
    append(integer: Int64(count), to: &bytes)
  }
}

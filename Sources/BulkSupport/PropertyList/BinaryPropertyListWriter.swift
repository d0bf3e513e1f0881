/// Writes binary property lists (`bplist00`) as CFBinaryPList.c reads them.
///
/// Equal values give equal bytes: dictionary entries are sorted by the code units of their keys, and equal
/// scalars are written once. See ``BinaryPropertyListReader`` for the layout.
package struct BinaryPropertyListWriter {
  /// An object to be written; containers refer to others by number.
  private enum Object {
    case scalar([UInt8])
    case container(marker: UInt8, count: Int, [Int])
  }

  private var objects: [Object] = []
  private var numbers: [[UInt8]: Int] = [:]

  package static func write(_ list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(list)
    return writer.bytes()
  }

  /// Adds an object, a container before its elements, and returns its number.
  private mutating func add(_ list: PropertyList) -> Int {
    let number = objects.count
    switch list {
    case .array(let elements):
      objects.append(.scalar([]))
      let references = elements.map { add($0) }
      objects[number] = .container(marker: 0xA0, count: references.count, references)
    case .dictionary(let entries):
      objects.append(.scalar([]))
      let sorted = entries.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      let keys = sorted.map { add(.string($0.key)) }
      let references = keys + sorted.map { add($0.value) }
      objects[number] = .container(marker: 0xD0, count: keys.count, references)
    case .boolean, .integer, .unsigned, .real, .date, .data, .string, .uid, .null:
      let bytes = Self.bytes(of: list)
      // Every zero with a fraction is written: stores and caches must keep their bytes.
      let isShared = list != .real(0) && list != .date(0)
      if isShared, let known = numbers.updateValue(numbers[bytes] ?? number, forKey: bytes) {
        return known
      }
      objects.append(.scalar(bytes))
    }
    return number
  }

  private func bytes() -> [UInt8] {
    var bytes = BinaryPropertyListReader.magic
    var offsets: [Int] = []
    offsets.reserveCapacity(objects.count)
    let referenceWidth = Self.width(of: objects.count - 1)
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let scalar): bytes += scalar
      case .container(let marker, let count, let references):
        Self.append(marker: marker, count: count, to: &bytes)
        for reference in references {
          BigEndian.append(UInt64(reference), width: referenceWidth, to: &bytes)
        }
      }
    }
    let table = bytes.count
    let offsetWidth = Self.width(of: table)
    for offset in offsets {
      BigEndian.append(UInt64(offset), width: offsetWidth, to: &bytes)
    }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    for number in [objects.count, 0, table] {
      BigEndian.append(UInt64(number), width: 8, to: &bytes)
    }
    return bytes
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

  private static func bytes(of scalar: PropertyList) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ marker: UInt8, _ value: UInt64, width: Int = 8) {
      bytes.append(marker)
      BigEndian.append(value, width: width, to: &bytes)
    }
    switch scalar {
    case .null, .array, .dictionary: bytes = [0x00]
    case .boolean(let value): bytes = [value ? 0x09 : 0x08]
    case .integer(let value): Self.append(integer: value, to: &bytes)
    case .unsigned(let value):
      append(0x14, 0)
      BigEndian.append(value, width: 8, to: &bytes)
    case .real(let value): append(0x23, value.bitPattern)
    case .date(let value): append(0x33, value.bitPattern)
    case .data(let value):
      Self.append(marker: 0x40, count: value.count, to: &bytes)
      bytes += value
    case .string(let value) where value.utf8.allSatisfy({ $0 < 0x80 }):
      Self.append(marker: 0x50, count: value.utf8.count, to: &bytes)
      bytes += value.utf8
    case .string(let value):
      let units = Array(value.utf16)
      Self.append(marker: 0x60, count: units.count, to: &bytes)
      for unit in units { BigEndian.append(UInt64(unit), width: 2, to: &bytes) }
    case .uid(let value):
      precondition(value >= 0, "a reference counts from 0")
      let width = width(of: value)
      append(0x80 | UInt8(width - 1), UInt64(value), width: width)
    }
    return bytes
  }

  /// Only 8-byte integers have a sign.
  private static func append(integer value: Int64, to bytes: inout [UInt8]) {
    let width = value < 0 ? 8 : width(of: Int(value))
    bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
    BigEndian.append(UInt64(bitPattern: value), width: width, to: &bytes)
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

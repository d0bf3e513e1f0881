/// Reads binary property lists (`bplist00`).
///
/// Layout (CFBinaryPList.c): 8 bytes of magic; objects, each a marker byte, an optional count, and a
/// body; a table of object offsets; a 32-byte trailer: 6 unused bytes, the width of an offset, the width of a
/// reference, then three 8-byte integers: the number of objects, the top object, and the offset of the offset
/// table. All integers are big-endian.
///
/// An object with several references, or several entries of the offset table, is decoded once and shared. To keep walks
/// over the value from visiting an exponential number of nodes, the tree may have at most ``nodesPerByte`` nodes for each
/// byte of the file, where a string or data count as one for each 16 bytes.
package struct BinaryPropertyListReader {
  package static let magic = Array("bplist00".utf8)

  static let nodesPerByte = 16

  private static let trailerLength = 32

  private let bytes: [UInt8]
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let topObject: Int
  /// The end of the objects and the beginning of the offset table.
  private let objectsEnd: Int
  private let objectCount: Int
  private var made: [Int: Made] = [:]

  private typealias Counted = (value: PropertyList, nodes: Int)

  private enum Made {
    case beingMade
    case value(PropertyList, nodes: Int)
  }

  /// Lone surrogates in UTF-16 strings become U+FFFD, as everywhere in Swift.
  package static func read(_ bytes: [UInt8]) throws(CodingError) -> PropertyList {
    var reader = try BinaryPropertyListReader(bytes)
    return try reader.object(reader.topObject, depth: 0).value
  }

  private init(_ bytes: [UInt8]) throws(CodingError) {
    guard bytes.starts(with: Self.magic) else {
      throw .notA("binary property list", reason: "it does not begin with bplist00")
    }
    let trailer = bytes.count - Self.trailerLength
    guard trailer >= Self.magic.count else {
      throw .truncated("the trailer of a binary property list", offset: bytes.count)
    }
    func fault(_ reason: String) -> CodingError {
      .invalid("the trailer of a binary property list", offset: trailer, reason: reason)
    }
    self.bytes = bytes
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw fault("gives integers of \(offsetWidth) and \(referenceWidth) bytes")
    }
    let count = BigEndian.unsigned(bytes, at: trailer + 8, width: 8)
    let top = BigEndian.unsigned(bytes, at: trailer + 16, width: 8)
    let table = BigEndian.unsigned(bytes, at: trailer + 24, width: 8)
    guard table >= Self.magic.count, table <= trailer else {
      throw fault("puts the offset table at \(table), outside of the file")
    }
    objectsEnd = Int(table)
    guard count <= (trailer - objectsEnd) / offsetWidth else {
      throw fault("promises \(count) objects, more than the offset table holds")
    }
    guard top < count else { throw fault("makes object \(top) of \(count) the top object") }
    topObject = Int(top)
    objectCount = Int(count)
  }

  private mutating func object(_ index: Int, depth: Int) throws(CodingError) -> Counted {
    let offset = try offset(of: index)
    switch made[offset] {
    case .value(let value, let nodes): return (value, nodes)
    case .beingMade: throw .cyclic("container", offset: offset)
    case nil: break
    }
    guard depth < PropertyList.depthLimit else {
      throw .tooDeep("container", offset: offset, limit: PropertyList.depthLimit)
    }
    made[offset] = .beingMade
    let result: Counted
    switch bytes[offset] >> 4 {
    case 0xA: result = try array(at: offset, depth: depth)
    case 0xD: result = try dictionary(at: offset, depth: depth)
    default:
      let value = try scalar(at: offset)
      let length = value.data?.count ?? value.string?.utf8.count ?? 0
      result = (value, 1 + length / 16)
    }
    made[offset] = .value(result.value, nodes: result.nodes)
    return result
  }

  private func offset(of index: Int) throws(CodingError) -> Int {
    let entry = objectsEnd + index * offsetWidth
    let offset = BigEndian.unsigned(bytes, at: entry, width: offsetWidth)
    guard offset >= Self.magic.count, offset < objectsEnd else {
      throw .invalid(
        "an entry of the offset table",
        offset: entry,
        reason: "puts object \(index) at \(offset), outside of the objects"
      )
    }
    return Int(offset)
  }

  private mutating func array(at start: Int, depth: Int) throws(CodingError) -> Counted {
    let references = try references(at: start, perElement: 1)
    var elements: [PropertyList] = []
    elements.reserveCapacity(references.count)
    var nodes = 1
    for reference in references {
      let element = try object(reference, depth: depth + 1)
      nodes = try sum(nodes, element.nodes, at: start)
      elements.append(element.value)
    }
    return (.array(elements), nodes)
  }

  private mutating func dictionary(at start: Int, depth: Int) throws(CodingError) -> Counted {
    let references = try references(at: start, perElement: 2)
    let count = references.count / 2
    var entries: [String: PropertyList] = [:]
    entries.reserveCapacity(count)
    var nodes = 1
    for index in 0..<count {
      let name = try object(references[index], depth: depth + 1)
      guard case .string(let key) = name.value else {
        throw .invalid("dictionary", offset: start, reason: "has a key that is not a string")
      }
      let value = try object(references[count + index], depth: depth + 1)
      nodes = try sum(sum(nodes, name.nodes, at: start), value.nodes, at: start)
      guard entries.updateValue(value.value, forKey: key) == nil else {
        throw .invalid("dictionary", offset: start, reason: "has the key \(key) twice")
      }
    }
    return (.dictionary(entries), nodes)
  }

  private func sum(_ nodes: Int, _ more: Int, at offset: Int) throws(CodingError) -> Int {
    // Both are at most the limit, which is far less than half of `Int.max`.
    let limit = bytes.count * Self.nodesPerByte
    guard nodes + more <= limit else {
      throw .tooLarge("container", offset: offset, limit: limit)
    }
    return nodes + more
  }

  private func references(at start: Int, perElement: Int) throws(CodingError) -> [Int] {
    let (count, body) = try count(at: start)
    let (total, overflow) = count.multipliedReportingOverflow(by: perElement)
    guard !overflow, total <= (objectsEnd - body) / referenceWidth else {
      throw .truncated("container", offset: start)
    }
    var result: [Int] = []
    result.reserveCapacity(total)
    for number in 0..<total {
      let offset = body + number * referenceWidth
      let reference = BigEndian.unsigned(bytes, at: offset, width: referenceWidth)
      guard let index = Int(exactly: reference), index < objectCount else {
        throw .invalid(
          "container",
          offset: start,
          reason: "refers to object \(reference), which does not exist"
        )
      }
      result.append(index)
    }
    return result
  }
}

extension BinaryPropertyListReader {
  /// An object that is not a container; the high half of its marker is the type, the low half a size or a count.
  private func scalar(at start: Int) throws(CodingError) -> PropertyList {
    let low = Int(bytes[start] & 0xF)
    switch bytes[start] {
    case 0x00: return .null
    case 0x08: return .boolean(false)
    case 0x09: return .boolean(true)
    // Widths below 8 are unsigned, 8 is signed, 16 holds values that exceed 8 bytes.
    case 0x10...0x13: return .integer(Int64(bitPattern: try unsigned(1 << low, of: start)))
    case 0x14: return try wideInteger(at: start)
    case 0x22: return .real(Double(Float(bitPattern: UInt32(try unsigned(4, of: start)))))
    case 0x23: return .real(Double(bitPattern: try unsigned(8, of: start)))
    case 0x33: return .date(Double(bitPattern: try unsigned(8, of: start)))
    case 0x40...0x4F: return .data(Array(try body(at: start)))
    case 0x50...0x5F:
      let body = try body(at: start)
      guard body.allSatisfy({ $0 < 0x80 }) else {
        throw .invalid("ASCII string", offset: start, reason: "has a byte above 127")
      }
      return .string(String(decoding: body, as: UTF8.self))
    case 0x60...0x6F:
      let body = try body(at: start, unit: 2)
      let units = stride(from: body.startIndex, to: body.endIndex, by: 2)
        .map { UInt16(body[$0]) << 8 | UInt16(body[$0 + 1]) }
      return .string(String(decoding: units, as: UTF16.self))
    case 0x70...0x7F:
      guard let text = String(validating: try body(at: start), as: UTF8.self) else {
        throw .invalid("UTF-8 string", offset: start, reason: "is not UTF-8")
      }
      return .string(text)
    case 0x80...0x8F:
      guard low < 8, let value = Int(exactly: try unsigned(low + 1, of: start)) else {
        throw .invalid("reference", offset: start, reason: "does not fit 63 bits")
      }
      return .uid(value)
    default:
      throw .invalid("object", offset: start, reason: "has the unknown marker \(bytes[start])")
    }
  }

  private func wideInteger(at start: Int) throws(CodingError) -> PropertyList {
    guard objectsEnd - start > 16 else { throw .truncated("a number", offset: start) }
    let high = BigEndian.unsigned(bytes, at: start + 1, width: 8)
    let low = BigEndian.unsigned(bytes, at: start + 9, width: 8)
    let signed = Int64(bitPattern: low)
    if high == (signed < 0 ? UInt64.max : 0) { return .integer(signed) }
    guard high == 0 else {
      throw .invalid("integer", offset: start, reason: "does not fit 64 bits")
    }
    return .unsigned(low)
  }

  /// The integer behind a marker, which is that of the object unless another offset is given.
  private func unsigned(
    _ width: Int,
    of start: Int,
    marker: Int? = nil
  ) throws(CodingError) -> UInt64 {
    let marker = marker ?? start
    guard width < objectsEnd - marker else { throw .truncated("a number", offset: start) }
    return BigEndian.unsigned(bytes, at: marker + 1, width: width)
  }

  /// The count of an object and the offset of its body; a count of 15 means that an integer object with the count
  /// follows.
  private func count(at start: Int) throws(CodingError) -> (count: Int, body: Int) {
    let low = Int(bytes[start] & 0xF)
    let marker = start + 1
    guard low == 0xF else { return (low, marker) }
    guard marker < objectsEnd else { throw .truncated("a count", offset: start) }
    guard (0x10...0x13).contains(bytes[marker]) else {
      throw .invalid("object", offset: start, reason: "has a count that is not an integer")
    }
    let width = 1 << Int(bytes[marker] & 0xF)
    let value = try unsigned(width, of: start, marker: marker)
    guard let count = Int(exactly: value) else {
      throw .truncated("an object of \(value) elements", offset: start)
    }
    return (count, marker + 1 + width)
  }

  private func body(at start: Int, unit: Int = 1) throws(CodingError) -> ArraySlice<UInt8> {
    let (count, body) = try count(at: start)
    let (length, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow, length <= objectsEnd - body else {
      throw .truncated("an object of \(count) elements", offset: start)
    }
    return bytes[body..<(body + length)]
  }
}

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

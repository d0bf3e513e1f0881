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

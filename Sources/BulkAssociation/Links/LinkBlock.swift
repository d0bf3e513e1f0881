/// Encodes links as bytes, before they are written.
///
/// Layout: the number of links (4 bytes, little-endian), then a ``BitColumn`` for each of their numbers. Links
/// of a run lie close to each other in some numbers and agree in others, so each takes a few bits.
enum LinkBlock {
  /// The most links in a block.
  static let capacity = 128

  private static let headerSize = 4
  /// The numbers of a link.
  private static let columns = MemoryLayout<Link>.stride / MemoryLayout<Int64>.stride

  static func encode(_ links: ContiguousArray<Link>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + columns * 9 + links.count * 16)
    bytes.append(littleEndian: UInt32(links.count))
    links.withUnsafeBytes { numbers in
      for column in 0..<columns {
        BitColumn.encode(links.count, into: &bytes) {
          numbers.load(fromByteOffset: offset($0, column), as: Int64.self)
        }
      }
    }
    return bytes
  }

  /// The links of a block; `nil` if the bytes are not a block.
  static func decode(_ bytes: [UInt8]) -> ContiguousArray<Link>? {
    let count = Int(bytes.number(at: 0, as: UInt32.self))
    guard bytes.count >= headerSize, (1...capacity).contains(count) else { return nil }
    var isBlock = true
    var end = headerSize
    let links = ContiguousArray<Link>(unsafeUninitializedCapacity: count) { buffer, filled in
      let numbers = UnsafeMutableRawBufferPointer(buffer)
      bytes.withUnsafeBytes { bytes in
        for column in 0..<columns where isBlock {
          isBlock = BitColumn.decode(count, from: bytes, at: &end) {
            numbers.storeBytes(of: $1, toByteOffset: offset($0, column), as: Int64.self)
          }
        }
      }
      filled = isBlock ? count : 0
    }
    return isBlock && end == bytes.count ? links : nil
  }

  /// Where a number of a link lies among those of all links.
  private static func offset(_ link: Int, _ column: Int) -> Int {
    link * MemoryLayout<Link>.stride + column * MemoryLayout<Int64>.stride
  }
}

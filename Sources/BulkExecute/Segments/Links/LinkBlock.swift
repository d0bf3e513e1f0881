/// A block of links is their number (4 bytes, little-endian), then a ``BitColumn`` for each of their numbers. Links
/// of a run lie close to each other in some numbers and agree in others, so each takes a few bits.
extension Link: SortedEntry {
  package static let blockCapacity = 128

  private static let headerSize = 4
  private static let columns = MemoryLayout<Link>.stride / MemoryLayout<Int64>.stride

  package func precedes(_ other: Link, in order: LinkOrder) -> Bool { order.precedes(self, other) }

  package static func encode(_ links: ContiguousArray<Link>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + columns * 9 + links.count * 16)
    bytes.append(littleEndian: UInt32(links.count))
    unsafe links.withUnsafeBytes { numbers in
      for column in 0..<columns {
        BitColumn.encode(links.count, into: &bytes) {
          unsafe numbers.load(fromByteOffset: offset($0, column), as: Int64.self)
        }
      }
    }
    return bytes
  }

  package static func decode(_ bytes: [UInt8]) -> ContiguousArray<Link>? {
    let count = Int(bytes.number(at: 0, as: UInt32.self))
    guard bytes.count >= headerSize, (1...blockCapacity).contains(count) else { return nil }
    var isBlock = true
    var end = headerSize
    let links = unsafe ContiguousArray<Link>(unsafeUninitializedCapacity: count) { buffer, filled in
      let numbers = UnsafeMutableRawBufferPointer(buffer)
      unsafe bytes.withUnsafeBytes { bytes in
        for column in 0..<columns where isBlock {
          isBlock = unsafe BitColumn.decode(count, from: bytes, at: &end) {
            unsafe numbers.storeBytes(of: $1, toByteOffset: offset($0, column), as: Int64.self)
          }
        }
      }
      filled = isBlock ? count : 0
    }
    return isBlock && end == bytes.count ? links : nil
  }

  private static func offset(_ link: Int, _ column: Int) -> Int {
    link * MemoryLayout<Link>.stride + column * MemoryLayout<Int64>.stride
  }
}

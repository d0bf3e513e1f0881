/// Encodes runs as bytes, before compression.
///
/// Layout, little-endian: the number of runs (4 bytes), the first source key and the first
/// destination key (8 bytes each), then three columns (see ``BitColumn``): the lengths; the gaps from
/// the last source key of a run to the first of the next; the steps from the key after the last
/// destination key of a run to the first of the next, modulo 2⁶⁴. Gaps and steps are one fewer than
/// runs.
enum RunBlock {
  /// The most runs in a block.
  static let capacity = 2048
  /// The size in bytes of the largest possible block.
  static let largestSize = headerSize + 3 * (9 + capacity * 8)

  private static let headerSize = 20

  static func encode(_ runs: [AssociationRun]) -> [UInt8] {
    precondition(!runs.isEmpty && runs.count <= capacity, "a block has from 1 to \(capacity) runs")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + runs.count * 8)
    bytes.append(littleEndian: UInt32(runs.count))
    bytes.append(littleEndian: runs[0].sourceKey)
    bytes.append(littleEndian: runs[0].destinationKey)
    BitColumn.encode(runs.map(\.length), into: &bytes)
    let neighbours = zip(runs, runs.dropFirst())
    BitColumn.encode(neighbours.map { $1.sourceKey &- $0.lastSourceKey }, into: &bytes)
    let steps = neighbours.map { $1.destinationKey &- $0.lastDestinationKey &- 1 }
    BitColumn.encode(steps, into: &bytes)
    return bytes
  }

  /// The runs of a block; `nil` if the bytes are not a block of ordered runs.
  static func decode(_ bytes: [UInt8]) -> [AssociationRun]? {
    let count = Int(bytes.number(at: 0, as: UInt32.self))
    guard bytes.count >= headerSize, (1...capacity).contains(count) else { return nil }
    var offset = headerSize
    guard let lengths = BitColumn.decode(count, from: bytes, at: &offset),
      let gaps = BitColumn.decode(count - 1, from: bytes, at: &offset),
      let steps = BitColumn.decode(count - 1, from: bytes, at: &offset),
      offset == bytes.count
    else { return nil }
    var run = AssociationRun(
      sourceKey: bytes.number(at: 4, as: Int64.self),
      destinationKey: bytes.number(at: 12, as: Int64.self),
      length: lengths[0]
    )
    var runs: [AssociationRun] = []
    runs.reserveCapacity(count)
    for index in 0..<count {
      if index > 0 {
        let previous = run
        run = AssociationRun(
          sourceKey: previous.lastSourceKey &+ gaps[index - 1],
          destinationKey: previous.lastDestinationKey &+ 1 &+ steps[index - 1],
          length: lengths[index]
        )
        guard run.sourceKey >= previous.lastSourceKey else { return nil }
      }
      guard run.isValid else { return nil }
      runs.append(run)
    }
    return runs
  }
}

/// Numbers of nearly the same size, each stored as its distance from the least, in as few bits as the
/// greatest distance needs.
///
/// Layout: the least number (8 bytes, little-endian), the width in bits (1 byte, 0…64), then the
/// distances from the lowest bit of the first byte upwards, filled up to whole bytes.
enum BitColumn {
  static func encode(_ numbers: [Int64], into bytes: inout [UInt8]) {
    let least = numbers.min() ?? 0
    // The distance between two 64-bit numbers always fits into 64 unsigned bits.
    let range = UInt64(bitPattern: (numbers.max() ?? 0) &- least)
    let width = 64 - range.leadingZeroBitCount
    bytes.append(littleEndian: least)
    bytes.append(UInt8(width))
    guard width > 0 else { return }
    var word: UInt64 = 0
    var used = 0
    for number in numbers {
      let distance = UInt64(bitPattern: number &- least)
      word |= distance &<< UInt64(used)
      used += width
      guard used >= 64 else { continue }
      bytes.append(littleEndian: word)
      used -= 64
      word = used == 0 ? 0 : distance &>> UInt64(width - used)
    }
    Swift.withUnsafeBytes(of: word.littleEndian) {
      bytes.append(contentsOf: $0.prefix((used + 7) / 8))
    }
  }

  /// Reads a column; moves the offset past it.
  ///
  /// - Returns: The numbers; `nil` if the bytes are not a column of that many numbers.
  static func decode(_ count: Int, from bytes: [UInt8], at offset: inout Int) -> [Int64]? {
    guard offset + headerSize <= bytes.count else { return nil }
    let least = bytes.number(at: offset, as: Int64.self)
    let width = Int(bytes[offset + 8])
    let start = offset + headerSize
    guard width <= 64, start + (count * width + 7) / 8 <= bytes.count else { return nil }
    offset = start + (count * width + 7) / 8
    guard width > 0 else { return [Int64](repeating: least, count: count) }
    let mask = UInt64.max &>> UInt64(64 - width)
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map { index in
        let (byte, bit) = (index * width).quotientAndRemainder(dividingBy: 8)
        var distance = word(of: bytes, at: start + byte) &>> UInt64(bit)
        if bit + width > 64 {
          distance |= UInt64(bytes[start + byte + 8]) &<< UInt64(64 - bit)
        }
        return least &+ Int64(bitPattern: distance & mask)
      }
    }
  }

  /// Eight bytes at an offset, zero beyond the end.
  private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    if offset + 8 <= bytes.count {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    return bytes[offset...].reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
  }

  private static let headerSize = 9
}

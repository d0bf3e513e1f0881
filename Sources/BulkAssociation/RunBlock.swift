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

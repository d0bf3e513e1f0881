/// An encoding of a block: its two codes, the header that describes them, and the resulting length.
struct DeflateBlockForm {
  let literals: HuffmanEncoder
  let distances: HuffmanEncoder
  private let header: [(value: Int, width: Int)]
  /// The length of all symbols in bits.
  private let symbolBits: Int

  /// The length of the block in bits, without the final-block bit.
  var bitCount: Int { header.reduce(symbolBits) { $0 + $1.width } }

  func putHeader(_ bits: inout DeflateBitWriter) {
    for (value, width) in header { bits.put(value, width) }
  }

  /// The fixed codes of RFC 1951.
  static func fixed(_ literals: [Int], _ distances: [Int], extraBits: Int) -> DeflateBlockForm {
    let literalCode = HuffmanEncoder(lengths: RawDeflate.fixedLiteralLengths)
    let distanceCode = HuffmanEncoder(lengths: RawDeflate.fixedDistanceLengths)
    return DeflateBlockForm(
      literals: literalCode,
      distances: distanceCode,
      header: [(1, 2)],
      symbolBits: literalCode.bitCount(literals) + distanceCode.bitCount(distances) + extraBits
    )
  }

  /// Dynamic codes, whose lengths are in the block's header.
  static func dynamic(
    literalCode: HuffmanEncoder,
    distanceCode: HuffmanEncoder,
    _ literals: [Int],
    _ distances: [Int],
    extraBits: Int
  ) -> DeflateBlockForm {
    let literalLengths = trimmed(literalCode.lengths, atLeast: 257)
    let distanceLengths = trimmed(distanceCode.lengths, atLeast: 1)
    let runs = runs(of: literalLengths + distanceLengths)
    var frequencies = [Int](repeating: 0, count: 19)
    for run in runs { frequencies[run.symbol] += 1 }
    let lengths = completed(HuffmanLengths.lengths(frequencies: frequencies, limit: 7))
    var header = [(2, 2), (literalLengths.count - 257, 5), (distanceLengths.count - 1, 5)]
    let order = RawDeflate.codeLengthOrder
    let count = max(4, (order.lastIndex { lengths[$0] > 0 } ?? 0) + 1)
    header.append((count - 4, 4))
    header += order.prefix(count).map { (Int(lengths[$0]), 3) }
    let code = HuffmanEncoder(lengths: lengths)
    for run in runs {
      header.append(code.bits(of: run.symbol))
      if run.width > 0 { header.append((run.extra, run.width)) }
    }
    return DeflateBlockForm(
      literals: literalCode,
      distances: distanceCode,
      header: header,
      symbolBits: literalCode.bitCount(literals) + distanceCode.bitCount(distances) + extraBits
    )
  }

  private static func trimmed(_ lengths: [UInt8], atLeast least: Int) -> [UInt8] {
    Array(lengths.prefix(max(least, (lengths.lastIndex { $0 > 0 } ?? 0) + 1)))
  }

  /// A code with a single symbol gets a second one, which every reader accepts.
  private static func completed(_ lengths: [UInt8]) -> [UInt8] {
    var lengths = lengths
    guard lengths.count(where: { $0 > 0 }) == 1 else { return lengths }
    lengths[lengths[0] == 0 ? 0 : 1] = 1
    return lengths
  }

  /// Code lengths as symbols: 16 repeats the last 3 to 6 times, 17 and 18 repeat zero 3 to 10 and 11
  /// to 138 times.
  private static func runs(of lengths: [UInt8]) -> [(symbol: Int, extra: Int, width: Int)] {
    var result: [(symbol: Int, extra: Int, width: Int)] = []
    var rest = lengths[...]
    while let value = rest.first {
      let count = rest.prefix { $0 == value }.count
      var taken = 1
      if value == 0, count >= 11 {
        taken = min(count, 138)
        result.append((18, taken - 11, 7))
      } else if value == 0, count >= 3 {
        taken = count
        result.append((17, taken - 3, 3))
      } else {
        result.append((Int(value), 0, 0))
        var repeats = value == 0 ? 0 : count - 1
        while repeats >= 3 {
          let times = min(repeats, 6)
          result.append((16, times - 3, 2))
          taken += times
          repeats -= times
        }
      }
      rest = rest.dropFirst(taken)
    }
    return result
  }
}

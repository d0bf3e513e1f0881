/// Encodes symbols in one canonical Huffman code of a DEFLATE stream.
struct HuffmanEncoder {
  /// The length of each symbol's code; 0 where the symbol is not used.
  let lengths: [UInt8]
  private let codes: [Int]

  init(lengths: [UInt8]) {
    self.lengths = lengths
    var counts = [Int](repeating: 0, count: RawDeflate.maximumCodeLength + 1)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = HuffmanCode.firstCodes(counts: counts)
    codes = lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      return HuffmanCode.reversed(next[Int(length)], length: Int(length))
    }
  }

  func put(_ symbol: Int, _ bits: inout DeflateBitWriter) {
    bits.put(codes[symbol], Int(lengths[symbol]))
  }

  func bits(of symbol: Int) -> (value: Int, width: Int) { (codes[symbol], Int(lengths[symbol])) }

  /// The number of bits that symbols with these frequencies take.
  func bitCount(_ frequencies: [Int]) -> Int {
    zip(frequencies, lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
  }
}

/// Finds the code lengths that minimize the length of a text, none longer than a limit.
///
/// Package-merge (Larmore and Hirschberg): a coin for each symbol at each level, the two cheapest of
/// a level together making one coin of the level above; a symbol's length is how often it is among
/// the cheapest 2n − 2 coins.
enum HuffmanLengths {
  private struct Coin {
    let weight: Int
    let symbols: [UInt16]
  }

  static func lengths(frequencies: [Int], limit: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: frequencies.count)
    let single = frequencies.indices.filter { frequencies[$0] > 0 }
      .map { Coin(weight: frequencies[$0], symbols: [UInt16($0)]) }
      .sorted { ($0.weight, $0.symbols[0]) < ($1.weight, $1.symbols[0]) }
    guard single.count > 1 else {
      for coin in single { result[Int(coin.symbols[0])] = 1 }
      return result
    }
    var level = single
    for _ in 1..<limit { level = merged(single, packages(level)) }
    for coin in level.prefix(2 * single.count - 2) {
      for symbol in coin.symbols { result[Int(symbol)] += 1 }
    }
    return result
  }

  private static func packages(_ coins: [Coin]) -> [Coin] {
    stride(from: 0, to: coins.count - 1, by: 2).map { index in
      let (first, second) = (coins[index], coins[index + 1])
      return Coin(weight: first.weight + second.weight, symbols: first.symbols + second.symbols)
    }
  }

  private static func merged(_ first: [Coin], _ second: [Coin]) -> [Coin] {
    var result: [Coin] = []
    result.reserveCapacity(first.count + second.count)
    var (left, right) = (first[...], second[...])
    while let one = left.first, let other = right.first {
      if one.weight <= other.weight {
        result.append(one)
        left.removeFirst()
      } else {
        result.append(other)
        right.removeFirst()
      }
    }
    return result + left + right
  }
}

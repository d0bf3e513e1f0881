/// Packs bytes into one raw DEFLATE stream.
///
/// Each block is written in the shortest of the three forms: stored, with the fixed codes, or with
/// codes of its own.
struct Deflater {
  private static let tokensPerBlock = 32_768
  private static let storedLimit = 65_535

  private let bytes: [UInt8]
  private var finder: MatchFinder
  private var bits = DeflateBitWriter()

  init(bytes: [UInt8]) {
    self.bytes = bytes
    finder = MatchFinder(bytes: bytes)
  }

  mutating func run() -> [UInt8] {
    repeat {
      let start = finder.position
      var tokens: [MatchFinder.Token] = []
      while !finder.isAtEnd, tokens.count < Self.tokensPerBlock { tokens.append(finder.next()) }
      putBlock(tokens, start..<finder.position, isLast: finder.isAtEnd)
    } while !finder.isAtEnd
    bits.alignToByte()
    return bits.bytes
  }

  private mutating func putBlock(
    _ tokens: [MatchFinder.Token],
    _ range: Range<Int>,
    isLast: Bool
  ) {
    let block = DeflateBlock(tokens)
    let storedBits = (range.count + 5 * (range.count / Self.storedLimit + 1)) * 8
    let form = block.shortestForm()
    if storedBits < form.bitCount {
      putStored(bytes[range], isLast: isLast)
      return
    }
    bits.put(isLast ? 1 : 0, 1)
    form.putHeader(&bits)
    block.putTokens(form, &bits)
  }

  private mutating func putStored(_ part: ArraySlice<UInt8>, isLast: Bool) {
    var rest = part
    repeat {
      let chunk = rest.prefix(Self.storedLimit)
      rest = rest.dropFirst(chunk.count)
      bits.put(isLast && rest.isEmpty ? 1 : 0, 3)
      bits.alignToByte()
      bits.put(chunk.count, 16)
      bits.put(chunk.count ^ 0xFFFF, 16)
      bits.put(chunk)
    } while !rest.isEmpty
  }
}

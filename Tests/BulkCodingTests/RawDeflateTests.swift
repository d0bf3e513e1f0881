import BulkTestSupport
import Testing

/// The packed literals were made with Python 3 `zlib.compressobj(…, wbits=-15)`.
struct RawDeflateTests {
  private static let sentence =
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, "
    + "must be in want of a wife. However little known the feelings or views of such a man may be "
    + "on his first entering a neighbourhood, this truth is so well fixed in the minds of the "
    + "surrounding families, that he is considered the rightful property of some one or other of "
    + "their daughters."
  static let packedSentence = [UInt8](
    hex: """
      2d90d191c33008445ba1804ceac895a158c8624e060fa0e8dcfd41923f69d8ddb7f0e34006055ca777984c2f
      542b635c50b65f9635b0ee586fe0bd78c88c781f084761208653ccd08c84415a4c77910a4dd427e30d8e690e
      4f4ce12aec1fc9a2867778c8c200c120f7884b100702a1218e401888c28b7059ba6c6e3dac093dca959101ec
      51bb910602d951c3141246dafb53a6f66892a543f4d92c1e26b0708c70fd61cd56093c88eb1b921f9baa32b9
      66582b070d42fbae1ed388d8848d2a6af853af41f336079c2a27aa5fefb6726441cc152454fa4d27855a6618
      e2c0f77f
      """
  )

  @Test(arguments: [
    (hex: "010600f9ff73746f726564", text: "stored"),
    (hex: "4b4c2a4a4c4e4c4904520a89083600", text: "abracadabra abracadabra"),
    (hex: "0300", text: ""),
  ])
  func `stored and fixed blocks are unpacked`(hex: String, text: String) throws {
    #expect(try RawDeflate.inflate([UInt8](hex: hex), limit: 100) == Array(text.utf8))
  }

  @Test func `blocks with codes of their own are unpacked`() throws {
    let bytes = try RawDeflate.inflate(Self.packedSentence, limit: 1000)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.sentence)
  }

  @Test func `a run of zeros is unpacked from a code of a single distance`() throws {
    let packed =
      [UInt8](hex: "edc13101000000c2a0f54f6d0d0fa0") + [UInt8](repeating: 0, count: 96)
      + [UInt8](hex: "805703")
    let bytes = try RawDeflate.inflate(packed, limit: 100_000)
    #expect(bytes == [UInt8](repeating: 0, count: 100_000))
  }

  @Test func `nothing is unpacked beyond the limit`() throws {
    let error = try #require(throws: CodingError.self) {
      try RawDeflate.inflate(Self.packedSentence, limit: 100)
    }
    #expect(error == .tooLarge("a DEFLATE stream", offset: 91, limit: 100))
  }

  @Test(arguments: [
    (hex: "07", fault: "a DEFLATE stream at byte 1 violates its format: invalid block type"),
    (
      hex: "010600f8ff73746f726564",
      fault: "a DEFLATE stream at byte 5 violates its format: invalid stored block lengths"
    ),
    (
      hex: "010600f9ff73746f7265",
      fault: "the bytes end inside a DEFLATE stream at byte 10"
    ),
    (hex: "030000", fault: "a DEFLATE stream at byte 2 continues after its last block"),
    (
      hex: "0302",
      fault: "a DEFLATE stream at byte 2 violates its format: invalid distance too far back"
    ),
    (
      hex: "fdff01",
      fault: "a DEFLATE stream at byte 3 violates its format: too many length or distance symbols"
    ),
    (hex: "", fault: "the bytes end inside a DEFLATE stream at byte 0"),
  ])
  func `a stream that contradicts the format is refused`(hex: String, fault: String) throws {
    #expect(failure { try RawDeflate.inflate([UInt8](hex: hex), limit: 1000) } == fault)
  }

  @Test(arguments: 0..<packedSentence.count)
  func `a stream that is cut anywhere is refused`(length: Int) {
    #expect(throws: CodingError.self) {
      try RawDeflate.inflate(Array(Self.packedSentence[..<length]), limit: 1000)
    }
  }

  @Test(arguments: 0..<packedSentence.count)
  func `a stream with a wrong bit gives an error or bytes within the limit`(index: Int) {
    for bit in 0..<8 {
      var packed = Self.packedSentence
      packed[index] ^= 1 << UInt8(bit)
      let bytes = try? RawDeflate.inflate(packed, limit: 1000)
      #expect((bytes?.count ?? 0) <= 1000)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 257, 258, 259, 32_767, 32_768, 65_536, 200_001], [1, 3, 40, 256])
  func `packed bytes are unpacked to themselves`(count: Int, alphabet: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count * 1000 + alphabet))
    let bytes = (0..<count).map { _ in UInt8(Int.random(in: 0..<alphabet, using: &generator)) }
    let packed = RawDeflate.deflate(bytes)
    // Bytes that cannot be packed are stored, in blocks of up to 65,535.
    #expect(packed.count <= count + count / 1000 + 10)
    #expect(try RawDeflate.inflate(packed, limit: count) == bytes)
  }
}

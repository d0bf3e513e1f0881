import BulkTestSupport
import Testing

@testable import BulkExecute

@Suite struct BlockEncodingTests {
  /// From the reference implementation of xxHash: XXH64 with seed 0.
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)]
  )
  func `a checksum is XXH64`(text: String, checksum: UInt64) {
    #expect(Checksum.of(Array(text.utf8)) == checksum)
  }

  @Test(
    arguments: [
      [], [0], [7, 7, 7], [1, 2, 3, 4, 5], [-1, 0], [.min, .max], [.min, 0, .max, -1, 1],
      Array(-70...70), (0..<65).map { 1 << $0 % 63 },
    ] as [[Int64]]
  )
  func `a column gives back its numbers`(numbers: [Int64]) throws {
    var bytes: [UInt8] = [9]
    BitColumn.encode(numbers, into: &bytes)
    var offset = 1
    #expect(BitColumn.decode(numbers.count, from: bytes, at: &offset) == numbers)
    #expect(offset == bytes.count)
  }

  @Test(arguments: 0...64)
  func `a column of any width gives back its numbers`(width: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width))
    let numbers = (0..<300).map { _ in
      Int64(bitPattern: width == 0 ? 0 : generator.next() >> UInt64(64 - width)) &- 5
    }
    var bytes: [UInt8] = []
    BitColumn.encode(numbers, into: &bytes)
    var offset = 0
    #expect(BitColumn.decode(300, from: bytes, at: &offset) == numbers)
    #expect(offset == bytes.count)
  }

  @Test func `equal numbers take no bits`() {
    var bytes: [UInt8] = []
    BitColumn.encode([Int64](repeating: 3, count: 1000), into: &bytes)
    #expect(bytes == [3, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: 0..<500 as Range<UInt64>)
  func `bytes that are not a block are refused or are runs in order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = RunBlock.encode([
      AssociationRun(sourceKey: 1, destinationKey: 5, length: 3),
      AssociationRun(sourceKey: 9, destinationKey: 1, length: 4),
    ])
    for _ in 0..<3 {
      bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(
        truncatingIfNeeded: generator.next()
      )
    }
    let runs = RunBlock.decode(bytes) ?? []
    #expect(runs.allSatisfy { $0.isValid })
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.sourceKey >= $0.lastSourceKey })
  }

  private static func compress(_ block: [UInt8]) throws -> [UInt8] {
    try BlockCompressor().compress(block)
  }

  private static func decompress(_ frame: some Sequence<UInt8>, size: Int) throws -> [UInt8]? {
    try BlockDecompressor().decompress(Array(frame), size: size)
  }

  @Test func `a frame of another size than recorded is refused`() throws {
    let block = [UInt8](repeating: 1, count: 10_000)
    let frame = try Self.compress(block)
    #expect(try Self.decompress(frame, size: 10_000) == block)
    #expect(try Self.decompress(frame, size: 9_999) == nil)
    #expect(try Self.decompress(frame, size: 10_001) == nil)
    #expect(try Self.decompress(frame.dropLast(), size: 10_000) == nil)
    #expect(try Self.decompress([], size: 1) == nil)
  }

  @Test(arguments: [0, 100, 300])
  func `a block that does not shrink is little larger`(zeros: Int) throws {
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<1000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let block = noise + [UInt8](repeating: 0, count: zeros)
    let frame = try Self.compress(block)
    #expect(frame.count <= 1000 + 32)
    #expect(try Self.decompress(frame, size: block.count) == block)
  }
}

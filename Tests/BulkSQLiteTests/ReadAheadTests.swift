import BulkTestSupport
import Testing

/// What is read ahead is what the file holds, however a file is read and written.
struct ReadAheadTests {
  /// A file in memory that counts how often it is read.
  private final class File {
    var bytes: [UInt8]
    var reads = 0

    init(_ count: Int) { bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) } }

    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
      reads += 1
      guard offset < bytes.count else { return 0 }
      let part = bytes[Int(offset)..<min(bytes.count, Int(offset) + target.count)]
      target.copyBytes(from: part)
      return part.count
    }
  }

  private func bytes(_ ahead: ReadAhead, _ count: Int, at offset: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    let got = result.withUnsafeMutableBytes { ahead.read(into: $0, at: Int64(offset)) }
    return Array(result.prefix(max(0, got)))
  }

  @Test func `pages in their order are read sixteen at a time`() {
    let file = File(100 * 4096)
    let ahead = ReadAhead(file.read)
    for page in 0..<100 {
      #expect(
        bytes(ahead, 4096, at: page * 4096) == Array(file.bytes[page * 4096..<(page + 1) * 4096])
      )
    }
    // The first by itself, six times sixteen, and the three at the end.
    #expect(file.reads == 1 + 6 + 1)
  }

  @Test func `pages in any order are read one by one`() {
    let file = File(100 * 4096)
    let ahead = ReadAhead(file.read)
    for page in stride(from: 98, through: 0, by: -2) {
      #expect(bytes(ahead, 4096, at: page * 4096).count == 4096)
    }
    #expect(file.reads == 50)
  }

  @Test func `a file ends where it ends`() {
    let file = File(10_000)
    let ahead = ReadAhead(file.read)
    #expect(bytes(ahead, 4096, at: 0).count == 4096)
    #expect(bytes(ahead, 4096, at: 4096).count == 4096)
    #expect(bytes(ahead, 4096, at: 8192) == Array(file.bytes[8192...]))
    #expect(bytes(ahead, 4096, at: 12_288) == [])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whatever is read and written, nothing old is seen`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let file = File(64 * 512)
    let ahead = ReadAhead(file.read)
    var page = 0
    for _ in 0..<2000 {
      if Int.random(in: 0..<8, using: &random) == 0 {
        let offset = Int.random(in: 0..<64, using: &random) * 512
        file.bytes.replaceSubrange(
          offset..<offset + 512,
          with: repeatElement(UInt8.random(in: 0...255, using: &random), count: 512)
        )
        ahead.forget(Int64(offset)..<Int64(offset + 512))
      }
      page =
        Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<64, using: &random) : page
      #expect(bytes(ahead, 512, at: page * 512) == Array(file.bytes[page * 512..<(page + 1) * 512]))
      page = (page + 1) % 64
    }
  }
}

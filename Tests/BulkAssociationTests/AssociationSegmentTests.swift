import BulkTestSupport
import Testing

@testable import BulkExecute

@Suite struct AssociationSegmentTests {
  /// A segment of 40 random pairs, which hardly shrink, and one of 400 regular ones.
  enum Sample: CaseIterable {
    case random
    case regular

    private static let made = Dictionary(
      uniqueKeysWithValues: allCases.map { sample in (sample, Result { try sample.make() }) }
    )

    /// A segment's bytes, without a file.
    func bytes() throws -> [UInt8] { try Self.made[self]?.get() ?? [] }

    private func make() throws -> [UInt8] {
      let folder = TemporaryDirectory()
      var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
      switch self {
      case .random:
        let pairs = Pairs(40, .random)
        try writer.append(pairs.sources, with: pairs.destinations)
      case .regular:
        let keys: Range<Int64> = 0..<400
        try writer.append(keys.map { $0 * 3 + $0 % 2 }, with: keys.map { $0 % 4 * 1000 })
      }
      let segment = try writer.seal()[0]
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + segment.name)))
    }

    var size: Int {
      switch self {
      case .random: 214
      case .regular: 180
      }
    }
  }

  /// Opens bytes as a segment and reads every block; returns their number.
  @discardableResult
  private static func read(_ bytes: some Sequence<UInt8>) throws -> Int {
    let folder = TemporaryDirectory()
    let path = folder.path + "/segment"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let segment = try AssociationSegment(path: path)
    try segment.verify()
    return segment.entries.count
  }

  @Test(arguments: Sample.allCases)
  func `a sample is a segment of known size, with one block`(sample: Sample) throws {
    let bytes = try sample.bytes()
    #expect(bytes.count == sample.size)
    #expect(try Self.read(bytes) == 1)
  }

  @Test(arguments: Sample.allCases)
  func `a segment that is cut off anywhere is refused`(sample: Sample) throws {
    let bytes = try sample.bytes()
    for length in bytes.indices {
      #expect(throws: AssociationError.self, "\(length)") { try Self.read(bytes.prefix(length)) }
    }
  }

  @Test(arguments: Sample.allCases)
  func `a segment with one bit changed is refused`(sample: Sample) throws {
    let bytes = try sample.bytes()
    for bit in 0..<bytes.count * 8 {
      var wrong = bytes
      wrong[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: AssociationError.self, "\(bit)") { try Self.read(wrong) }
    }
  }

  @Test(arguments: Sample.allCases)
  func `a segment with a byte more is refused`(sample: Sample) throws {
    let bytes = try sample.bytes()
    #expect(throws: AssociationError.self) { try Self.read(bytes + [0]) }
    #expect(throws: AssociationError.self) { try Self.read([0] + bytes) }
  }

  /// Equal numbers take no bytes, however many there are said to be.
  @Test func `an index of more blocks than the file can hold is refused`() {
    var index = SegmentLayout.index(SegmentIndex(offset: SegmentLayout.headerSize)).bytes
    #expect(SegmentLayout.index(in: index) != nil)
    let trailer = index.count - SegmentLayout.trailerSize
    index.replaceSubrange(trailer + 24..<trailer + 28, with: [255, 255, 255, 255])
    let checksum = Checksum.of(SegmentLayout.header() + index[..<(trailer + 32)])
    withUnsafeBytes(of: checksum.littleEndian) {
      index.replaceSubrange(trailer + 32..<trailer + 40, with: $0)
    }
    #expect(SegmentLayout.index(in: index) == nil)
  }
}

import BulkTestSupport
import Foundation
import Testing

@testable import BulkAssociation

@Suite struct AssociationSegmentTests {
  /// A segment of 40 random pairs, stored as they are, and one of 400 regular ones, compressed.
  enum Sample: CaseIterable {
    case stored
    case compressed

    private static let made = Dictionary(
      uniqueKeysWithValues: allCases.map { sample in (sample, Result { try sample.make() }) }
    )

    /// A segment's bytes, without a file.
    func bytes() throws -> [UInt8] { try Self.made[self]?.get() ?? [] }

    private func make() throws -> [UInt8] {
      let folder = try TemporaryDirectory()
      var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
      switch self {
      case .stored:
        let pairs = Pairs(40, .random)
        try writer.append(pairs.sources, with: pairs.destinations)
      case .compressed:
        let sources = (0..<400).map { place in Int64(place * 3 + place % 2) }
        let destinations = (0..<400).map { place in Int64(place % 4 * 1000) }
        try writer.append(sources, with: destinations)
      }
      let segment = try writer.seal()[0]
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + segment.name)))
    }

    var size: Int {
      switch self {
      case .stored: 226
      case .compressed: 174
      }
    }
  }

  /// Opens bytes as a segment and reads every block; says which are compressed.
  @discardableResult
  private static func read(_ bytes: some Sequence<UInt8>) throws -> [Bool] {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/segment"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let segment = try AssociationSegment(path: path)
    try segment.verify()
    return segment.entries.map(\.isCompressed)
  }

  @Test(arguments: Sample.allCases)
  func `a sample is a segment of known size`(sample: Sample) throws {
    let bytes = try sample.bytes()
    #expect(bytes.count == sample.size)
    #expect(try Self.read(bytes) == [sample == .compressed])
  }

  @Test(arguments: Sample.allCases, 0..<226)
  func `a segment that is cut off anywhere is refused`(sample: Sample, length: Int) throws {
    let bytes = try sample.bytes()
    guard length < bytes.count else { return }
    #expect(throws: AssociationError.self) { try Self.read(bytes.prefix(length)) }
  }

  @Test(arguments: Sample.allCases, 0..<226 * 8)
  func `a segment with one bit changed is refused`(sample: Sample, bit: Int) throws {
    var bytes = try sample.bytes()
    guard bit / 8 < bytes.count else { return }
    bytes[bit / 8] ^= 1 << (bit % 8)
    #expect(throws: AssociationError.self) { try Self.read(bytes) }
  }

  @Test(arguments: Sample.allCases)
  func `a segment with a byte more is refused`(sample: Sample) throws {
    let bytes = try sample.bytes()
    #expect(throws: AssociationError.self) { try Self.read(bytes + [0]) }
    #expect(throws: AssociationError.self) { try Self.read([0] + bytes) }
  }
}

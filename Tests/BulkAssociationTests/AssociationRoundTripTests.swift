import BulkTestSupport
import Testing

@testable import BulkExecute

@Suite struct AssociationRoundTripTests {
  @Test(arguments: [0, 1, 255, 256, 65_537, 140_000], Pairs.Shape.allCases)
  func `a table in memory gives back the pairs that it was given`(
    count: Int,
    shape: Pairs.Shape
  ) throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(count, shape)
    let table = try AssociationTable(pairs, in: folder.path)
    #expect(table.segments.isEmpty)
    #expect(try Pairs(table) == pairs)
  }

  @Test(arguments: [255, 65_537, 140_000], Pairs.Shape.allCases)
  func `a table in segments gives back the pairs that it was given`(
    count: Int,
    shape: Pairs.Shape
  ) throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(count, shape)
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    try writer.append(pairs.sources, with: pairs.destinations)
    let table = AssociationTable(segments: try writer.seal(), in: folder.path)
    #expect(table.segments.reduce(0) { $0 + $1.pairCount } == UInt64(count))
    #expect(table.memoryUse == 0)
    #expect(try Pairs(table) == pairs)
  }

  @Test func `pairs that continue one another take one run`() throws {
    let folder = TemporaryDirectory()
    let table = try AssociationTable(Pairs(1_000_000, .kept), in: folder.path)
    let reader = try AssociationCursor(table)
    let run = AssociationRun(sourceKey: 1, destinationKey: 1001, length: 1_000_000)
    let first = try reader.nextRuns()
    let second = try reader.nextRuns()
    #expect(first == [run])
    #expect(second == nil)
    #expect(table.memoryUse < 300)
  }

  /// 3.5 bytes a pair were measured for bit-packed blocks of random keys.
  @Test func `a million random pairs take less than four bytes each`() throws {
    let folder = TemporaryDirectory()
    let table = try AssociationTable(Pairs(1_000_000, .random), in: folder.path)
    #expect(table.memoryUse < 4_000_000)
  }

  @Test(arguments: [
    [AssociationRun(sourceKey: .min, destinationKey: .max)],
    [AssociationRun(sourceKey: .min, destinationKey: 0, length: .max)],
    [
      AssociationRun(sourceKey: .min, destinationKey: .max),
      AssociationRun(sourceKey: .max, destinationKey: .min),
      AssociationRun(sourceKey: .max, destinationKey: .max),
    ],
  ])
  func `keys at the ends of their range are kept`(runs: [AssociationRun]) throws {
    let folder = TemporaryDirectory()
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    for run in runs { try writer.append(run) }
    let table = AssociationTable(segments: try writer.seal(), in: folder.path)
    let reader = try AssociationCursor(table)
    let read = try reader.nextRuns()
    #expect(read == runs)
  }

  @Test func `a writer goes on after the segments of a checkpoint`() throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(30_000, .several)
    var segments: [AssociationSegmentReference] = []
    for start in stride(from: 0, to: 30_000, by: 10_000) {
      var writer = try AssociationWriter(
        folder: folder.path,
        prefix: "t",
        memoryLimit: 0,
        continuing: segments
      )
      let part = start..<start + 10_000
      try writer.append(Array(pairs.sources[part]), with: Array(pairs.destinations[part]))
      let record = try JSONEncoder().encode(try writer.seal())
      segments = try JSONDecoder().decode([AssociationSegmentReference].self, from: record)
    }
    #expect(segments.map(\.name) == ["t-000001.zst", "t-000002.zst", "t-000003.zst"])
    let table = AssociationTable(segments: segments, in: folder.path)
    #expect(try Pairs(table) == pairs)
  }

  @Test func `sealing again without new pairs writes nothing`() throws {
    let folder = TemporaryDirectory()
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    let none = try writer.seal()
    try writer.append([1], with: [2])
    let one = try writer.seal()
    let again = try writer.seal()
    #expect(none == [])
    #expect(one.count == 1)
    #expect(again == one)
  }

  @Test(arguments: [0, 512 << 10, 1 << 20])
  func `a writer keeps to its bytes`(memoryLimit: Int) throws {
    let folder = TemporaryDirectory()
    let pairs = Pairs(200_000, .random)
    var writer = try AssociationWriter(
      folder: folder.path,
      prefix: "t",
      memoryLimit: memoryLimit
    )
    var largest = 0
    for start in stride(from: 0, to: 200_000, by: 1000) {
      let page = start..<start + 1000
      try writer.append(Array(pairs.sources[page]), with: Array(pairs.destinations[page]))
      largest = max(largest, writer.memoryUse)
    }
    #expect(largest <= max(memoryLimit, AssociationWriter.leastMemory))
    let table = try writer.finish()
    #expect(try Pairs(table) == pairs)
  }

  @Test func `a source key behind a greater one is refused`() throws {
    let folder = TemporaryDirectory()
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    let error = AssociationError.unorderedSourceKey(1, after: 2)
    #expect(throws: error) { try writer.append([1, 2, 2, 1], with: [1, 2, 3, 4]) }
    #expect(error.description == "source key 1 follows 2; source keys must ascend")
  }

  @Test(arguments: [
    AssociationRun(sourceKey: 1, destinationKey: 1, length: 0),
    AssociationRun(sourceKey: 1, destinationKey: 1, length: -1),
    AssociationRun(sourceKey: 2, destinationKey: 1, length: .max),
    AssociationRun(sourceKey: 1, destinationKey: .max, length: 2),
  ])
  func `a run without keys or with keys beyond 64 bits is refused`(run: AssociationRun) throws {
    let folder = TemporaryDirectory()
    var writer = try AssociationWriter(folder: folder.path, prefix: "t", memoryLimit: 0)
    let error = AssociationError.invalidRun(
      sourceKey: run.sourceKey,
      destinationKey: run.destinationKey,
      length: run.length
    )
    #expect(throws: error) { try writer.append(run) }
  }
}

extension AssociationTable {
  /// The memory used by the blocks of the table, in bytes.
  fileprivate var memoryUse: Int {
    blocks.reduce(0) { $0 + $1.frame.count + MemoryLayout<EncodedBlock>.stride }
  }
}

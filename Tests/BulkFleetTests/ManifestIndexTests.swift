import BulkTestSupport
import Foundation
import Testing

@testable import BulkFleet

@Suite("Manifests that are read")
struct ManifestIndexTests {
  @Test func `progress is told in lines, with a total that follows from the bytes`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("stores.jsonl")
    let lines = (100_000..<101_000).map {
      "{\"id\":\"\($0)\",\"source\":\"s\($0).sqlite\",\"destination\":\"d\($0).sqlite\"}\n"
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    var told: [FleetPlanningProgress] = []
    let index = try ManifestIndex(Manifest(path, root: nil, isStaged: false)) { told.append($0) }
    #expect(index.records.count == 1_000)
    #expect(told.map(\.done) == [256, 512, 768])
    // The lines are of one length; the line that is told of has begun, and its bytes do not count yet.
    #expect(told.map(\.total) == [1_003, 1_001, 1_001])
  }
}

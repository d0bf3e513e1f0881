@testable import BulkExecute
import BulkTestSupport
import Testing

struct CheckpointFileTests {
  private let file: Data

  init() throws {
    var checkpoint = Checkpoint(
      plan: "3a7bd3e2",
      attempt: "7E1C",
      transaction: 14,
      state: RunState(rows: 81_000)
    )
    checkpoint.lastKeys = ["ZNOTE": 4711]
    checkpoint.userInfo = ["seen": Data([1, 2, 250])]
    file = try checkpoint.encoded()
  }

  @Test func `a whole one is read as it was written`() throws {
    let checkpoint = try #require(Checkpoint(file))
    #expect(checkpoint.transaction == 14)
    #expect(checkpoint.rows == 81_000)
    #expect(checkpoint.userInfo == ["seen": Data([1, 2, 250])])
  }

  @Test func `one that was cut off anywhere is none`() {
    let found = (0..<file.count).filter { Checkpoint(file.prefix($0)) != nil }
    #expect(found == [])
  }

  @Test func `one with a changed bit anywhere is none`() {
    let found = (0..<file.count * 8).filter { bit in
      var changed = file
      changed[bit / 8] ^= 1 << (bit % 8)
      return Checkpoint(changed) != nil
    }
    #expect(found == [])
  }

  @Test func `one with more behind it is none`() {
    #expect(Checkpoint(file + Data([10])) == nil)
    #expect(Checkpoint(file + file) == nil)
  }

  @Test func `one of another format is none, even if it is finished`() throws {
    var checkpoint = Checkpoint(plan: "3a7bd3e2", attempt: "7E1C", transaction: 14)
    checkpoint.bulkmigrate = "checkpoint/4"
    checkpoint.isFinished = true
    #expect(Checkpoint(try checkpoint.encoded()) == nil)
  }

  /// SHA-256 of "abc" is that of FIPS 180.
  @Test func `looking at a report does not shorten what an attempt goes on to write`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("violations.jsonl")
    try Data("abcdef".utf8).write(to: URL(fileURLWithPath: path))
    var checkpoint = Checkpoint(plan: "3a7bd3e2", attempt: "7E1C", transaction: 14)
    checkpoint.violationBytes = 3
    checkpoint.violationDigest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(ViolationReport.isSound(path, checkpoint))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "abcdef")
    checkpoint.violationBytes = 4
    #expect(!ViolationReport.isSound(path, checkpoint))
    checkpoint.violationBytes = 7
    #expect(!ViolationReport.isSound(path, checkpoint))
  }
}

@testable import BulkExecute
import BulkTestSupport
import Foundation
import Testing

@Suite("A folder without its mark")
struct FolderContentsTests {
  private static let identity = "6E1F0B0C-52D3-4B40-9F2B-6A6A0D6C5E11"
  private static let other = "0D8A7B55-93A1-4C0E-8C61-1B7F0A4C9D22"
  private static let attempt = "\(identity)-\(other)"
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func contents(_ files: [String: Data]) throws -> FolderContents {
    for (name, bytes) in files {
      try bytes.write(to: URL(fileURLWithPath: directory.path(name)))
    }
    return FolderContents(of: try DurableDirectory(directory.path))
  }

  @Test(
    arguments: [
      "destination-\(attempt).sqlite", "destination-\(attempt).sqlite-journal", "draft-\(attempt)",
      "external-\(attempt)", "violations-\(attempt).jsonl", "associations-\(attempt)-0-1.zst",
      "plan-\(identity)-\(other)", "lock-\(attempt)", "control-\(identity)", "progress-\(identity)",
      "rejects-\(attempt)",
    ]
  )
  func `the name of any of our files tells whose it is`(name: String) throws {
    #expect(try contents([name: Data("x".utf8)]) == .ours(identity: Self.identity))
  }

  @Test func `a checkpoint, a receipt and the copy of a plan tell it by their bytes`() throws {
    let finished = try Checkpoint(plan: "3a7b", attempt: Self.attempt, transaction: 0, rows: 3)
      .encoded()
    let plan = Data("{\n  \"stateDirectory\" : \"\(Self.identity)\",\n".utf8)
    for files in [["checkpoint-0": finished], ["finished": finished], ["plan.json": plan]] {
      #expect(try contents(files) == .ours(identity: Self.identity))
      try FileManager.default.removeItem(atPath: directory.path(files.keys.first ?? ""))
    }
  }

  @Test(arguments: [Data(), Data(count: 512)])
  func `what a power cut has left of a file tells nothing`(bytes: Data) throws {
    #expect(try contents([".bulkmigrate": bytes, "lock": bytes, "plan.json": bytes]) == .vacant)
  }

  @Test(
    arguments: [
      "letter.txt", "destination-Rome.txt", "finished", "checkpoint-0", "plan.json", "lock",
      ".bulkmigrate",
      "report-\(attempt)", "destination-\(identity.dropLast())", "violations.jsonl",
    ]
  )
  func `a file of others makes it foreign, whatever else is there`(name: String) throws {
    #expect(try contents([name: Data("mine".utf8)]) == .foreign)
    #expect(try contents(["draft-\(Self.attempt)": Data()]) == .foreign)
  }

  @Test func `files of two identities make it foreign`() throws {
    let files = ["draft-\(Self.attempt)": Data(), "draft-\(Self.other)-\(Self.identity)": Data()]
    #expect(try contents(files) == .foreign)
  }
}

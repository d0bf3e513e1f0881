#if os(Linux)
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// What `--json` tells where there is no result.
@Suite("Result lines of failures", .program)
struct ResultLineTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test(arguments: [
    ["plan", "--source", "Notes.sqlite", "--destination", "N.sqlite", "--destination-model"],
    ["migrate", "Notes.sqlite", "--destination-model"],
  ])
  func `a failure is an object too`(words: [String]) throws {
    let run = try program(words + ["nowhere.mom", "--json", "-q"], ending: 66)
    let report = try run.object(isLine: true)
    #expect(report["outcome"] as? String == "failed")
    #expect(report["exitCode"] as? Int == 66)
    #expect(report["store"] as? String == "Notes.sqlite")
    #expect(report["tool"] as? String == "0.1.0")
    let error = try #require(report["error"] as? [String: Any])
    #expect((error["message"] as? String)?.contains("nowhere.mom") == true)
  }

  @Test func `what is told on the way is not counted as written`() throws {
    try #require(try program(Program.plan + ["-q"]).status == 0)
    let quiet = try program("run", "--json", "-q").object(isLine: true)
    program.remove("New.sqlite")
    let run = try program("run", "--json", "-vv")
    #expect(run.errors.utf8.count > 4_000)
    let loud = try run.object(isLine: true)
    let written = try #require(quiet["bytesWritten"] as? Int)
    let both = try #require(loud["bytesWritten"] as? Int)
    // Only times of different lengths in the files of the state directory.
    #expect(abs(both - written) < 200, "\(both) \(written)")
    let size = try #require(quiet["bytes"] as? Int)
    #expect(written >= size)
  }

  @Test func `a store of an unknown version is bad data, not bad use`() throws {
    // It keeps its model, so that it is known, and nothing of it is in the models.
    try program.write(.of(EntityDescription("Other", [.optional("name")])), to: "other.mom")
    let run = try program(
      "plan",
      "--source",
      "Notes.sqlite",
      "--destination",
      "New.sqlite",
      "--models",
      "other.mom"
    )
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("is in none of the models, which have nothing of it"))
  }
}
#endif

#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The commands that steer running fleets",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct FleetControlTests {
  @Test func `nothing can be asked where no fleet runs`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    let early = try folder.program("fleet", "pause")
    #expect(early.status == 66)
    #expect(
      early.errors.contains(
        "no fleet run appends to bulkmigrate.results.jsonl now; name the results of one that is at work with "
          + "--results"
      ),
      "\(early.errors)"
    )
    #expect(try folder.program("fleet", "run", "-q").status == 0)
    #expect(try folder.program("fleet", "memory", "512M").status == 66)
    #expect(try !folder.program.names(in: ".").contains("bulkmigrate.results.jsonl.control"))
  }

  @Test func `what is no rate and no size is refused`() throws {
    let folder = try FleetFolder(stores: 1)
    #expect(try folder.program("fleet", "throttle", "1").status == 64)
    #expect(try folder.program("fleet", "throttle", "fast").status == 64)
    #expect(try folder.program("fleet", "memory", "much").status == 64)
  }

  @Test func `workers take another memory limit, and the next run forgets it`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.plan()
    let words = ["fleet", "run", "--workers", "2", "--retries", "0"]
    let run = try folder.program.start(words, standingAt: "fleet:0")
    let memory = try folder.program("fleet", "memory", "1M")
    #expect(memory.status == 0, "\(memory.errors)")
    #expect(memory.output == "bulkmigrate.results.jsonl: each worker holds at most 1 MiB\n")
    #expect(run.goOn() == 3)
    #expect(run.errors.contains("each worker holds at most 1 MiB\n"), "\(run.errors)")
    #expect(try folder.outcomes() == ["s1 failed 7", "s2 failed 7", "s3 failed 7"])
    let again = try folder.program.start(["fleet", "run"], standingAt: "fleet:0")
    #expect(try folder.program("fleet", "throttle", "50MB/s").status == 0)
    let pause = try folder.program("fleet", "pause", "--json")
    #expect(
      pause.output == """
        {
          "bulkmigrate" : "control-report/1",
          "bytesPerSecond" : 50000000,
          "of" : "bulkmigrate.results.jsonl",
          "paused" : true
        }

        """
    )
    let status = try folder.program("fleet", "status")
    #expect(
      status.output.hasSuffix(
        "\nbulkmigrate.results.jsonl: the workers wait until fleet pause --off; "
          + "the workers together write at most 47.7 MiB a second\n"
      ),
      "\(status.output)"
    )
    #expect(
      try folder.program("fleet", "status", "--json").output.contains(
        "\"requests\" : [\n    {\n      \"bytesPerSecond\" : 50000000,\n"
      )
    )
    #expect(
      try folder.program("fleet", "pause", "--off").output
        == "bulkmigrate.results.jsonl: the workers together write at most 47.7 MiB a second\n"
    )
    #expect(
      try folder.program("fleet", "throttle", "off").output
        == "bulkmigrate.results.jsonl: the workers work as they can\n"
    )
    #expect(again.goOn() == 0, "\(again.errors)")
    #expect(try folder.outcomes().count { $0.contains("done 0") } == 3)
    #expect(try !folder.program("fleet", "status").output.contains("workers"))
    #expect(try !folder.program.names(in: ".").contains("bulkmigrate.results.jsonl.control"))
  }
}
#endif

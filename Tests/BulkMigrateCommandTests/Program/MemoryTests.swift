import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The program's memory",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct MemoryTests {
  private let program: Program

  init() throws { program = try Program() }

  /// A store with 60,000 rows, one of which has a value of 40 MiB, planned for the second model.
  private func planLargeStore() throws {
    let image = AttributeDescription.optional("image", .binaryData)
    let title = AttributeDescription.optional("title")
    let source = try ManagedObjectModel.of(EntityDescription("Note", [image, title]))
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [image, title, .required("stars", .integer16, default: 3)])
    )
    for name in ["Notes.sqlite", "v1.mom", "v2.mom"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
    try TestStore.write(source, to: program.directory.path("v1.mom"))
    try TestStore.write(destination, to: program.directory.path("v2.mom"))
    let store = try TestStore(source).write(to: program.directory.path("Notes.sqlite"))
    try store.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZIMAGE)
      SELECT i, 1, 1, 'note ' || i,
        CASE i WHEN 700 THEN zeroblob(40 << 20) ELSE x'0102' END FROM n
      """
    )
    #expect(try program(Program.plan).status == 0)
  }

  /// The limit that `plan` states, in MiB.
  private func statedLimit() throws -> Int {
    let run = try program(Program.plan + ["--json", "--output", "other.json"])
    struct Plan: Decodable {
      struct Memory: Decodable { let smallestLimitBytes: Int }
      let memory: Memory
    }
    let plan = try JSONDecoder().decode(Plan.self, from: Data(run.output.utf8))
    return plan.memory.smallestLimitBytes >> 20
  }

  private func peak(_ run: ProcessRun) throws -> Int {
    struct Report: Decodable { let peakMemoryBytes: Int }
    return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).peakMemoryBytes
  }

  @Test func `the limit that plan states will do, and is kept`() throws {
    try planLargeStore()
    let limit = try statedLimit()
    let run = try program("run", "-q", "--json", "--max-memory", "\(limit)M")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try peak(run) <= limit << 20)
  }

  @Test func `the text of a plan states the limit and how it is divided`() throws {
    let run = try program(Program.plan + ["--full"])
    #expect(run.output.contains(#/\nmemory       at least [0-9]+ MiB, of which\n/#))
    #expect(run.output.contains("  1 MiB  cache of the destination\n"))
  }

  @Test func `a limit far below is refused before anything is made`() throws {
    #expect(try program(Program.plan).status == 0)
    let before = try program.directory.bytes()
    let failure = try program.failure(["run", "-q", "--max-memory", "16M"])
    #expect(failure.status == 7)
    #expect(try program.directory.bytes() == before)
  }

  @Test func `the destination is the same bytes under every limit`() throws {
    try planLargeStore()
    let limits = ["\(try statedLimit())M", "256M", "1G"]
    let files = try limits.map { limit in
      let run = try program("run", "-q", "--max-memory", limit)
      #expect(run.status == 0, "\(run.errors)")
      let file = program.directory.path("New.sqlite")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      try FileManager.default.removeItem(atPath: file)
      return bytes
    }
    #expect(files.allSatisfy { $0 == files[0] && $0.count > 40 << 20 })
  }

  #if os(Linux)
  /// The least address space in MiB with which the program can do something small: what it and its
  /// libraries map.
  private func mappedMebibytes() throws -> Int {
    var (low, high) = (16, 4096)
    while low < high {
      let middle = (low + high) / 2
      let run = try shell("inspect Notes.sqlite --metadata-only", addressSpace: middle)
      if run.status == 0 { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func shell(_ words: String, addressSpace mebibytes: Int) throws -> ProcessRun {
    try ProcessRun(
      "/bin/sh",
      ["-c", "ulimit -v \(mebibytes * 1024); exec '\(Program.path ?? "")' \(words)"],
      in: program.directory.path
    )
  }

  @Test func `a run needs no more address space than its limit and what it maps`() throws {
    try planLargeStore()
    let limit = try statedLimit()
    let space = try mappedMebibytes() + limit
    let run = try shell("run -q --max-memory \(limit)M", addressSpace: space)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// The folder of a control group under which others may be made, where somebody says so; nothing is
  /// tried elsewhere, because groups belong to whoever manages the machine.
  private static let controlGroups =
    ProcessInfo.processInfo.environment["BULKMIGRATE_CONTROL_GROUP"]

  @Test(
    .enabled(
      if: controlGroups != nil,
      "skips because BULKMIGRATE_CONTROL_GROUP names no folder for control groups"
    )
  )
  func `a run lives in a control group of its limit`() throws {
    try planLargeStore()
    let limit = try statedLimit()
    let group = "\(Self.controlGroups ?? "")/bulkmigrate-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: false)
    defer { rmdir(group) }
    let names = ["memory.max", "memory.limit_in_bytes"]
    let file = try #require(
      names.map { "\(group)/\($0)" }.first { FileManager.default.fileExists(atPath: $0) }
    )
    try "\(limit << 20)".write(toFile: file, atomically: false, encoding: .utf8)
    let run = try ProcessRun(
      "/bin/sh",
      [
        "-c",
        "echo $$ > '\(group)/cgroup.procs' && exec '\(Program.path ?? "")' run -q "
          + "--max-memory \(limit)M",
      ],
      in: program.directory.path
    )
    #expect(run.status == 0, "\(run.errors)")
  }
  #endif
}

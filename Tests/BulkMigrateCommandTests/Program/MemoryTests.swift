import BulkTestSupport
import Testing

@Suite("The program's memory", .program)
struct MemoryTests {
  private let program: Program
  /// The limit that `plan` states, in MiB.
  private let limit: Int

  /// A store with 60,000 rows, one of which has a value of 40 MiB, planned for another model.
  init() throws {
    program = try Program()
    func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(.init("Note", [.optional("image", .binaryData), .optional("title")] + more))
    }
    program.remove("Notes.sqlite")
    try TestStore.write(model(), to: program.directory.path("v1.mom"))
    let stars = AttributeDescription.required("stars", .integer16, default: 3)
    try TestStore.write(model(stars), to: program.directory.path("v2.mom"))
    try TestStore(model()).write(to: program.directory.path("Notes.sqlite")).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZIMAGE)
      SELECT i, 1, 1, 'note ' || i,
        CASE i WHEN 700 THEN zeroblob(40 << 20) ELSE x'0102' END FROM n
      """
    )
    let plan = try program(Program.plan + ["--json"], ending: 0)
    limit = try plan.number("memory", "smallestLimitBytes") >> 20
  }

  @Test func `the limit that plan states will do, is kept, and makes the same bytes`() throws {
    let text = try program(Program.plan + ["--full", "-o", "other.json"]).output
    #expect(text.contains(#/\nmemory       --max-memory of at least [0-9]+ MiB, of which\n/#))
    #expect(text.contains("  1 MiB  cache of the destination\n"))
    let files = try ["\(limit)M", "256M", "1G"].map { limit in
      let run = try program("run", "-q", "--json", "--max-memory", limit, ending: 0)
      if limit == "\(self.limit)M" {
        #expect(try run.number("peakMemoryBytes") <= self.limit << 20)
      }
      defer { try? FileManager.default.removeItem(atPath: program.migrated.path) }
      return try Files.read(program.migrated.path)
    }
    #expect(files.allSatisfy { $0 == files[0] && $0.count > 40 << 20 })
  }

  private func shell(_ words: String, addressSpace mebibytes: Int) throws -> ProcessRun {
    try program.shell("ulimit -v \(mebibytes * 1024); exec \"$0\" \(words)")
  }

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

  @Test func `a run needs no more address space than its limit and what it maps`() throws {
    let space = try mappedMebibytes() + limit
    try shell("run -q --max-memory \(limit)M", addressSpace: space).ending(0)
  }
}

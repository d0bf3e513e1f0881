import BulkTestSupport
import Testing

@Suite("The durable steps of a migration", .tags(.promise12), .program)
struct DurableStepTests {
  /// Rows by a mapping model or by two of which each is a pass, rows that lead to one another, objects that are found,
  /// created and divided, a copy that is changed, histories that are written or changed, and what is computed from rows in
  /// each of three ways.
  enum Kind: CaseIterable {
    case mapped, divided, leading, shared, copied, rebuiltHistory, copiedHistory
    case rebuiltComputed, copiedComputed, mappedComputed

    func migration() throws -> Interrupted {
      switch self {
      case .mapped: try Interrupted(rows: 250)
      case .divided: try Interrupted(divided: 250)
      case .leading: try Interrupted(leading: 300)
      case .shared: try Interrupted(sharing: 60)
      case .copied: try Interrupted(copied: 250)
      case .rebuiltHistory: try Interrupted(changes: 250, strategy: "rebuild")
      case .copiedHistory: try Interrupted(changes: 250, strategy: "copy")
      case .rebuiltComputed: try Interrupted(computing: ["--strategy", "rebuild"])
      case .copiedComputed: try Interrupted(computing: ["--strategy", "copy"])
      case .mappedComputed: try Interrupted(computing: ["--mapping", "given.json"])
      }
    }

    /// The steps behind which it is killed: what is computed is made behind the rows, of which others tell.
    func steps(of count: Int) -> [Int] {
      switch self {
      case .rebuiltComputed, .copiedComputed, .mappedComputed:
        Array(stride(from: 2, to: count - 12, by: max(1, count / 6))) + Array(count - 12...count)
      case .mapped, .divided, .leading, .shared, .copied, .rebuiltHistory, .copiedHistory:
        Array(1...count)
      }
    }

    /// Fewer steps would mean that something is not interrupted any more.
    var leastSteps: Int {
      switch self {
      case .mapped, .divided: 90
      case .shared, .leading: 40
      case .copied: 50
      case .rebuiltHistory, .copiedHistory: 8
      case .rebuiltComputed, .copiedComputed, .mappedComputed: 20
      }
    }

    /// Looks into the store that is made undisturbed.
    func expect(_ store: StoreFile) throws {
      #expect(try store.integrity() == [["ok"]])
      switch self {
      case .mapped, .divided, .shared: break
      case .copied:
        let columns = try store.columns(of: "ZPAGE")
        #expect(columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZHEADING", "ZWEIGHT"])
        #expect(try store.rows("SELECT DISTINCT Z_ENT, ZWEIGHT FROM ZPAGE") == [[2, 3]])
        let counts = try store.rows("SELECT count(*), count(ZHEADING) > 200 FROM ZPAGE")
        #expect(counts == [[250, 1]])
      case .rebuiltHistory, .copiedHistory:
        // Marks were number 1 and notes 2; notes are number 3.
        #expect(
          try store.rows("SELECT * FROM ACHANGE WHERE Z_PK < 54") == [
            [51, 16001, 1, 0, 3, 51, 51, nil, nil, nil],
            [52, 16001, 1, 1, 3, 52, 52, [0x60], nil, nil],
            [53, 16001, 1, 2, 3, 53, 53, nil, nil, "title 53"],
          ]
        )
        #expect(try store.rows("SELECT count(*) FROM ATRANSACTION") == [[200]])
      case .leading:
        let counts = "SELECT count(*), count(DISTINCT ZNEXT), sum(Z_PK <= 300) FROM ZTHING"
        #expect(try store.rows(counts) == [[300, 300, 200]])
      case .rebuiltComputed, .copiedComputed, .mappedComputed:
        // The R-tree of a fetch index, that of a location, the older form, and derived attributes.
        for table in ["Z_Place_byPlace", "Z_RT_Place_location"] {
          #expect(
            try store.rows("SELECT * FROM \(table) ORDER BY Z_PK")
              == [[1, 1.0, 1.0, -1.5, -1.5], [2, 2.0, 2.0, -1.5, -1.5]]
          )
        }
        let derived = "p.ZFOLDED, f.ZCOUNT FROM ZPLACE p JOIN ZFOLDER f ON f.Z_PK = p.ZFOLDER"
        #expect(
          try store.rows("SELECT p.Z_PK, \(derived) ORDER BY 1")
            == [[1, "OSLO 1", 2], [2, "OSLO 2", 2]]
        )
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `after a kill behind any durable step the same bytes come out`(kind: Kind) throws {
    let migration = try kind.migration()
    let steps = try migration.steps("run")
    try kind.expect(StoreFile(migration.program.directory.path("Big.sqlite")))
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(steps >= kind.leastSteps)
    let tried = RandomSeeds.some(of: kind.steps(of: steps), every: 23)
    for failpoint in tried.map({ "step:\($0)" })
      + (kind == .copied ? ["copied:0"] : [])
    {
      #expect(try migration.isKilled(at: failpoint))
      #expect(try migration.outcome(failpoint) == nil)
    }
  }

  @Test func `so they do where the store itself is changed`() throws {
    let migration = try Kind.copiedComputed.migration()
    let source = StoreFile(migration.program.directory.path("Source.sqlite"))
    let words = ["migrate", "-q", "Source.sqlite", "--destination-model", "B.mom", "--no-copy"]
    let before = try Files.read(source.path)
    let steps = try migration.steps(words)
    try Kind.copiedComputed.expect(source)
    let undisturbed = try Files.read(source.path)
    let tried = RandomSeeds.some(of: Array(1...max(1, steps)), every: 3).map { "step:\($0)" }
    for failpoint in ["altered:0"] + tried {
      try Files.write(before, to: source.path)
      #expect(try migration(words, failpoint: failpoint).status == -9, "\(failpoint)")
      try migration(words).ending(0, failpoint)
      #expect(try Files.read(source.path) == undisturbed, "\(failpoint)")
    }
  }

  @Test(arguments: [Kind.mapped, .copied])
  func `what was done before a kill is not done again`(kind: Kind) throws {
    let migration = try kind.migration()
    let steps = try migration.steps("run")
    _ = try migration.migrated()
    try #require(try migration.isKilled(at: "step:\(steps * 3 / 4)"))
    // What was not committed, and the leftovers, are its own; the rest is replayed.
    let resumed = try migration.steps("resume")
    #expect(resumed <= steps / 4 + 11, "\(resumed) of \(steps)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(arguments: [Kind.mapped, .shared, .copied])
  func `one that goes on may be killed behind any step as well`(kind: Kind) throws {
    let migration = try kind.migration()
    // Behind the first checkpoint, before which there is nothing to go on with.
    var step = 12
    try #require(try migration.isKilled(at: "step:\(step)"))
    // Further and further, so that each goes on a little more than the one before.
    while try migration.isKilled(at: "step:\(step)", "resume") { step += 4 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }

  @Test(arguments: [Kind.mapped, .copied])
  func `a source that changes before it is resumed leads to a new plan and a restart`(
    kind: Kind
  ) throws {
    let migration = try kind.migration()
    try #require(try migration.isKilled(at: "commit:9"))
    try StoreFile(migration.program.directory.path("Source.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'OTHER' WHERE Z_PK = 7")
    let resumed = try migration("resume", "-q").ending(5)
    #expect(resumed.errors.hasSuffix("Source.sqlite has changed\n"), "\(resumed.errors)")
    let status = try migration("status", "Big.sqlite.bulkmigrate").output
    #expect(status.contains("a new plan, and bulkmigrate run --restart"), "\(status)")
    try migration.plan()
    #expect(try migration("run", "-q", "--restart").status == 0)
    let made = StoreFile(migration.program.directory.path("Big.sqlite"))
    let (table, column) = kind == .mapped ? ("ZNOTE", "ZTITLE") : ("ZPAGE", "ZHEADING")
    #expect(try made.rows("SELECT \(column) FROM \(table) WHERE Z_PK = 7") == [["OTHER"]])
  }

  @Test(arguments: ["128M", "1G"])
  func `the memory limit makes no difference to the bytes of a copy`(limit: String) throws {
    let migration = try Kind.copied.migration()
    try migration("run", "-q", "--max-memory", limit).ending(0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(arguments: [(7, "2"), (99, "2"), (100_000, "2"), (100, "1")])
  func `neither the size of batches nor one thread changes the bytes`(
    rows: Int,
    threads: String
  )
    throws
  {
    let migration = try Kind.shared.migration()
    try migration(
      ["run", "-q"],
      batchRows: rows,
      environment: ["BULKMIGRATE_THREADS": threads]
    ).ending(0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  // MARK: What was left behind

  @Test func `an interrupted run of another version is not gone on with`() throws {
    let migration = try Kind.mapped.migration()
    try #require(try migration.isKilled(at: "commit:6"))
    for path in try migration.checkpoints() {
      let body = try #require(migration.program.text(of: path).split(separator: "\n").first)
        .replacing("bulkmigrate 0.1.0, ", with: "bulkmigrate 0.0.9, ")
      var hash = SHA256()
      hash.update(Array(body.utf8))
      try migration.program.write("\(body)\n\(hash.finalize().hex)\n", to: path)
    }
    let resumed = try migration("resume", "-q").ending(5)
    #expect(resumed.errors.contains("was begun by bulkmigrate 0.0.9, SQLite "), "\(resumed.errors)")
    #expect(resumed.errors.hasSuffix("start over with bulkmigrate run --restart\n"))
    #expect(try migration("run", "-q", "--restart").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  /// As after a power cut, which may keep some removals and lose others.
  @Test(
    arguments: [
      ["lock"], [], [".bulkmigrate"], [".bulkmigrate", "lock", "plan.json"],
      [".bulkmigrate", "destination-ID-1.sqlite", "lock"],
    ]
  )
  func `what is left of a finished run is removed by the next command`(files: [String]) throws {
    let migration = try Kind.mapped.migration()
    let identity = "6E1F0B0C-52D3-4B40-9F2B-6A6A0D6C5E11"
    let head = "\"stateDirectory\" : \"\(identity)\","
    let contents = [
      ".bulkmigrate": "{\"bulkmigrate\":\"state/1\",\"identity\":\"\(identity)\"}\n",
      "plan.json": "{\n  \(head)\n}\n",
    ]
    #expect(try migration("run", "-q").status == 0)
    _ = try migration.program.directory.folder("Big.sqlite.bulkmigrate")
    for file in files {
      let name = file.replacing("ID", with: identity)
      try migration.program.write(contents[file] ?? "", to: "Big.sqlite.bulkmigrate/\(name)")
    }
    #expect(try migration("run", "-q").status == 73)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }
}

import BulkTestSupport
import Testing

@Suite("Versions on the command line", .tags(.promise24))
struct RouteCommandTests {
  private let app: AppVersions
  private static let plan = "plan -q --source store.sqlite --destination new.sqlite".words
  private static let versions = ["--models", "App.momd", "--mappings", "."]

  init() throws {
    app = try AppVersions()
    try app.writeMapping()
    try app.writeStore(1)
  }

  private func run(_ words: String...) throws -> ProcessRun { try run(words) }

  private func run(_ words: [String]) throws -> ProcessRun {
    try Program(.call, in: app.directory)(words)
  }

  /// Plans and runs a migration to `new.sqlite`.
  private func migrate(_ words: [String]) throws {
    for words in [Self.plan + words, ["run", "-q"]] {
      let done = try run(words)
      try #require(done.status == 0, "\(done.errors)")
    }
  }

  /// The ranks of the notes of a store.
  private func ranks(_ store: String) throws -> [[StoredValue]] {
    try StoreFile(app.path(store)).rows(of: "ZNOTE", "ZRANK")
  }

  @Test(arguments: [["count.json"], ["chain.json", "--no-fuse"], ["chain.json"]])
  func `a mapping between equal models is planned and run, alone and in a chain`(
    mapping: [String]
  ) throws {
    try FileManager.default.copyItem(
      atPath: app.path("App.momd/v3.mom"),
      toPath: app.path("again.mom")
    )
    try app.writeMapping("count.json", from: "v3", to: "v3", rank: "$source.rank + 1")
    try app.write(
      """
      { "bulkmigrate": "mapping/1", "chain": ["App.momd/v2.mom", "v2-to-v3.json",
        "App.momd/v3.mom", "count.json", "again.mom", "App.momd/v4.mom"] }
      """,
      to: "chain.json"
    )
    try app.writeStore(mapping[0] == "chain.json" ? 2 : 3)
    try migrate(["--mapping"] + mapping)
    #expect(try ranks("new.sqlite") == [[6], [nil]])
  }

  @Test(arguments: [false, true])
  func `migrate removes an empty log that a killed attempt has left beside a current store`(
    withFolder: Bool
  ) throws {
    try app.writeStore(4)
    let store = StoreFile(app.path("store.sqlite"))
    try store.execute("PRAGMA journal_mode = WAL")
    try app.write("", to: "store.sqlite-wal")
    // As of a rollback that was killed late.
    if withFolder { _ = try app.directory.folder("store.sqlite.bulkmigrate") }
    let nothing = try run("migrate", "store.sqlite", "--models", "App.momd")
    #expect(nothing.output == "store.sqlite is of this version already: nothing was done\n")
    for name in ["store.sqlite-wal", "store.sqlite.bulkmigrate"] {
      #expect(!FileManager.default.fileExists(atPath: app.path(name)))
    }
  }

  @Test func `migrate carries out a mapping between equal models once, unless it is to rebuild`()
    throws
  {
    try app.writeMapping("count.json", from: "v3", to: "v3", rank: "$source.rank + 1")
    try app.writeStore(3)
    let words = ["migrate", "store.sqlite", "--mapping", "count.json"]
    let done = try run(words + ["-q"])
    #expect(done.status == 0, "\(done.errors)")
    #expect(try ranks("store.sqlite") == [[6], [nil]])
    #expect(try ranks("store~.sqlite") == [[5], [nil]])
    let nothing = try run(words)
    #expect(nothing.status == 0)
    #expect(nothing.errors.hasSuffix(", pass --strategy rebuild\n"))
    // The store that was kept would have to go first.
    #expect(try run(words + ["-q", "--strategy", "rebuild"]).status == 73)
    #expect(try ranks("store.sqlite") == [[6], [nil]])
  }

  @Test func `plan shows the way, step by step`() throws {
    let steps = try run(["plan"] + Self.plan.dropFirst(2) + Self.versions + ["--no-fuse"])
    for line in [
      "mapping      3 steps\n", "     1  v1.mom  v2.mom  inferred\n",
      "     2  v2.mom  v3.mom  v2-to-v3.json, rest inferred\n",
      "step 1 is done by itself\nstep 2 is done by itself\n  because steps are done one by one",
      "\n  its rows and losses are counted when its source exists\nstep 3 is done by itself\n",
      "  ~ Note    changed: attribute rank = $source.stars\n", "total        about 6 rows, ",
      "nothing of the source is lost in leg 1\n",
      "3 steps; nothing is lost in leg 1; what legs 2 and 3 lose is counted when their sources exist\n",
    ] {
      #expect(steps.output.contains(line), "\(line) in \(steps.output)")
    }
    let two = try run(["plan"] + Self.plan.dropFirst(2) + Self.versions)
    for line in [
      "steps 1 to 2 are done as one\n",
      "step 3 is done by itself\n  because v3 makes new objects\n",
    ] {
      #expect(two.output.contains(line), "\(line) in \(two.output)")
    }
    let one = try run(["plan"] + Self.plan.dropFirst(2) + Self.versions + ["--to", "v3"])
    for line in [
      "through      App.momd/v2.mom\n", "mapping      2 steps, done as one\n",
      "  to v2.mom: inferred\n", "  to v3.mom: v2-to-v3.json, rest inferred\n",
      "  ~ Note       2  changed: attribute rank = nil\n", "total        2 rows, ",
      "1 entity: 1 changed; nothing is lost\n",
    ] {
      #expect(one.output.contains(line), "\(line) in \(one.output)")
    }
    #expect(
      try run("report", "bulkmigrate.plan.json", "-o", "-").output
        .contains("step 1: inferred; step 2: v2-to-v3.json")
    )
    let report = try run("inspect", "store.sqlite", "--models", ".", "--metadata-only").output
    #expect(report.contains("\nModel version\n  v1\n  not the current version, which is v4\n"))
  }

  @Test func `migrate tells what a later leg has lost`() throws {
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("rank", .integer16)])),
      to: app.path("Small.mom")
    )
    try app.write(
      """
      { "bulkmigrate": "mapping/1", "chain": ["App.momd/v2.mom", "v2-to-v3.json",
        "App.momd/v3.mom", "Small.mom"] }
      """,
      to: "chain.json"
    )
    try app.writeStore(2)
    let words = "migrate store.sqlite --mapping chain.json --max-loss".words
    let refused = try run(words + ["1"])
    #expect(refused.status == 65)
    let done = try run(words + ["all"])
    #expect(done.status == 0, "\(done.errors)")
    let told = done.errors.split(separator: "\n").filter { $0.contains("lost: ") }
    #expect(
      told == ["warning: lost: 2 values of Note.title: no mapping reads them"]
    )
  }

  /// Its destination is another model than that of v3.
  @Test(arguments: [plan, ["migrate", "-q", "store.sqlite"]])
  func `a mapping whose model has changed is refused unless it is ignored`(words: [String]) throws {
    try FileManager.default.removeItem(atPath: app.path("v2-to-v3.json"))
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("title"), .optional("rank", .integer32)])),
      to: app.path("Old.mom")
    )
    try app.writeMapping("stale.json", to: "../Old")
    let before = try app.directory.bytes()
    let refused = try run(words + Self.versions)
    #expect(refused.status == 65)
    #expect(
      refused.errors.contains("pass --ignore-mapping 'stale.json'"),
      "\(refused.errors)"
    )
    #expect(try app.directory.bytes() == before)
    let ignored = try run(words + Self.versions + ["--ignore-mapping", "stale.json"])
    #expect(ignored.status == 0, "\(ignored.errors)")
  }
}

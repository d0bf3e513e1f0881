import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Versions on the command line",
  .tags(.promise24),
  .enabled(if: Program.path != nil, "needs the built program")
)
struct RouteCommandTests {
  private let app: AppVersions

  init() throws {
    app = try AppVersions()
    try app.writeMapping()
    try app.writeStore(1)
  }

  private func run(_ words: String...) throws -> Failure { try run(words) }

  private func run(_ words: [String]) throws -> Failure {
    let run = try ProcessRun(
      Program.path ?? "/nowhere",
      words,
      in: app.directory.path,
      environment: ["TERM": "dumb"]
    )
    return Failure(
      status: run.status,
      errors: run.errors.replacing(app.directory.path, with: "DIR"),
      output: run.output.replacing(app.directory.path, with: "DIR")
    )
  }

  /// The lines of a plan but the first; what it says of memory depends on the machine, and is left out.
  private func plan(_ words: String...) throws -> [String] {
    let plan = try ProcessRun(
      Program.path ?? "/nowhere",
      [
        "plan", "--source", "store.sqlite", "--destination", "new.sqlite", "--models", "App.momd",
        "--mappings", ".",
      ] + words,
      in: app.directory.path,
      environment: ["TERM": "dumb"]
    )
    #expect(plan.status == 0)
    return plan.output.replacing(app.directory.path, with: "DIR").split(separator: "\n").dropFirst()
      .map { String($0) }.filter { !$0.hasPrefix("memory") && !$0.contains("iB ") }
  }

  /// The ranks of the notes of a store.
  private func ranks(_ store: String) throws -> [[StoredValue]] {
    try StoreFile(app.path(store)).rows(of: "ZNOTE", "ZRANK")
  }

  @Test func `a mapping between equal models is planned and run`() throws {
    try app.writeMapping("count.json", from: "v3", to: "v3", rank: "$source.rank + 1")
    try app.writeStore(3)
    let plan = try run(
      "plan",
      "-q",
      "--source",
      "store.sqlite",
      "--destination",
      "new.sqlite",
      "--mapping",
      "count.json"
    )
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(try run("run", "-q").status == 0)
    #expect(try ranks("new.sqlite") == [[6], [nil]])
  }

  @Test func `a chain over versions with equal hashes is planned and run`() throws {
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
    try app.writeStore(2)
    for (word, name) in [("--no-fuse", "stepwise"), ("--json", "fused")] {
      let plan = try run(
        "plan",
        "-q",
        "--source",
        "store.sqlite",
        "--destination",
        "\(name).sqlite",
        "--mapping",
        "chain.json",
        word
      )
      #expect(plan.status == 0, "\(plan.errors)")
      let made = try run("run", "-q")
      #expect(made.status == 0, "\(made.errors)")
      #expect(try ranks("\(name).sqlite") == [[6], [nil]])
    }
  }

  @Test(arguments: [false, true])
  func `migrate removes an empty log that a killed attempt has left beside a current store`(
    withFolder: Bool
  ) throws {
    try app.writeStore(4)
    let store = StoreFile(app.path("store.sqlite"))
    try store.execute("PRAGMA journal_mode = WAL")
    try Data().write(to: URL(fileURLWithPath: app.path("store.sqlite-wal")))
    if withFolder {
      // As of a rollback that was killed late.
      try FileManager.default.createDirectory(
        atPath: app.path("store.sqlite.bulkmigrate"),
        withIntermediateDirectories: false
      )
    }
    let nothing = try run("migrate", "store.sqlite", "--models", "App.momd")
    #expect(nothing.output == "store.sqlite is of this version already: nothing was done\n")
    for name in ["store.sqlite-wal", "store.sqlite.bulkmigrate"] {
      #expect(!FileManager.default.fileExists(atPath: app.path(name)))
    }
  }

  @Test func `migrate carries out a mapping between equal models only where it is to rebuild`()
    throws
  {
    try app.writeMapping("count.json", from: "v3", to: "v3", rank: "$source.rank + 1")
    try app.writeStore(3)
    let words = ["migrate", "store.sqlite", "--mapping", "count.json"]
    let nothing = try run(words)
    #expect(nothing.status == 0)
    #expect(nothing.output == "store.sqlite is of this version already: nothing was done\n")
    #expect(nothing.errors == "to carry out the mapping all the same, pass --rebuild\n")
    #expect(try ranks("store.sqlite") == [[5], [nil]])
    let done = try run(words + ["-q", "--rebuild"])
    #expect(done.status == 0, "\(done.errors)")
    #expect(try ranks("store.sqlite") == [[6], [nil]])
    #expect(try ranks("store~.sqlite") == [[5], [nil]])
    // The store that was kept would have to go first.
    #expect(try run(words + ["-q", "--rebuild"]).status == 73)
    #expect(try ranks("store.sqlite") == [[6], [nil]])
  }

  @Test func `plan shows the way, step by step`() throws {
    #expect(
      try plan("--no-fuse")
        == [
          "  model      DIR/App.momd/v1.mom", "destination  DIR/new.sqlite",
          "  model      DIR/App.momd/v4.mom", "mapping      3 steps",
          "nothing of the source is lost",
          "  STEP  FROM    TO         ROWS  MAPPING",
          "     1  v1.mom  v2.mom        2  inferred",
          "     2  v2.mom  v3.mom  about 2  DIR/v2-to-v3.json, rest inferred",
          "     3  v3.mom  v4.mom  about 2  inferred", "step 1 is done by itself",
          "step 2 is done by itself", "  because steps are done one by one, as requested",
          "step 3 is done by itself", "  because steps are done one by one, as requested",
          "step 1",
          "pass 1 of 1: 1 changed; 2 rows, about 46 bytes, about 0.1s", "    ENTITY  ROWS  CHANGE",
          "  ~ Note       2  changed: attribute stars added with nil",
          "step 2, about 2 rows", "    ENTITY  ROWS  CHANGE",
          "  ~ Note       2  changed: attribute rank = $source.stars",
          "step 3, about 2 rows", "    ENTITY  ROWS  CHANGE",
          "  ~ Note       2  changed: attribute body added with nil",
          "in all       about 6 rows, about 138 bytes, about 0.3s",
          "3 steps; nothing is lost",
        ]
    )
  }

  @Test(arguments: [[], ["--no-fuse"]])
  func `the report names the mapping of every step`(words: [String]) throws {
    let planned = try run(
      [
        "plan", "-q", "--source", "store.sqlite", "--destination", "new.sqlite", "--models",
        "App.momd", "--mappings", ".",
      ] + words
    )
    #expect(planned.status == 0, "\(planned.errors)")
    let report = try run("report", "-o", "-")
    #expect(report.output.contains("step 1: inferred; step 2: DIR/v2-to-v3.json"))
  }

  @Test func `plan shows the mappings of steps that are done as one`() throws {
    #expect(
      try plan() == [
        "  model      DIR/App.momd/v1.mom", "through      DIR/App.momd/v2.mom",
        "through      DIR/App.momd/v3.mom", "destination  DIR/new.sqlite",
        "  model      DIR/App.momd/v4.mom", "mapping      3 steps, done as one",
        "  to v2.mom: inferred", "  to v3.mom: DIR/v2-to-v3.json, rest inferred",
        "  to v4.mom: inferred", "nothing of the source is lost",
        "pass 1 of 1: 1 changed; 2 rows, about 46 bytes, about 0.1s", "    ENTITY  ROWS  CHANGE",
        "  ~ Note       2  changed: attribute body is nil",
        "                    attribute rank = nil",
        "strategy     rebuild: a mapping model creates new objects",
        "in all       2 rows, about 46 bytes, about 0.1s", "1 entity: 1 changed; nothing is lost",
      ]
    )
  }

  @Test func `inspect says which version a store is`() throws {
    let report = try run("inspect", "store.sqlite", "--models", ".", "--metadata-only")
    #expect(report.status == 0)
    #expect(
      report.output.contains(
        """

        Model version
          v1
          not the current version, which is v4
          in DIR/App.momd/v1.mom

        """
      )
    )
  }

  /// A mapping whose destination is another model than that of v3.
  private func writeStaleMapping() throws {
    try FileManager.default.removeItem(atPath: app.path("v2-to-v3.json"))
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("title"), .optional("rank", .integer32)])),
      to: app.path("Old.mom")
    )
    try app.writeMapping("stale.json")
    let text = try String(contentsOfFile: app.path("stale.json"), encoding: .utf8)
    try app.write(text.replacing("App.momd/v3.mom", with: "Old.mom"), to: "stale.json")
  }

  @Test(arguments: [
    ["plan", "--source", "store.sqlite", "--destination", "new.sqlite"],
    ["migrate", "store.sqlite"],
  ])
  func `a mapping whose model has changed is refused unless it is ignored`(words: [String]) throws {
    try writeStaleMapping()
    let words = words + ["-q", "--models", "App.momd", "--mappings", "."]
    let before = try app.directory.bytes()
    let refused = try run(words)
    #expect(refused.status == 65)
    #expect(
      refused.errors == """
        bulkmigrate: DIR/stale.json is for this route, but cannot be used: its source model is v2; \
        its destination model is none of the versions; v3 differs from it in Note; without it v1 → v4 \
        would be inferred, and what it carries would be lost
        bulkmigrate: correct the mapping, or pass --ignore-mapping 'DIR/stale.json' to continue all the same

        """
    )
    #expect(try app.directory.bytes() == before)
    let ignored = try run(words + ["--ignore-mapping", "stale.json"])
    #expect(ignored.status == 0, "\(ignored.errors)")
  }

  @Test func `what falls out of relationships is told with the reason`() throws {
    try FileManager.default.removeItem(atPath: app.path("store.sqlite"))
    let model = try ManagedObjectModel.of(
      EntityDescription("Animal", isAbstract: true),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Dog", [.optional("name")]),
      EntityDescription("Owner", [], [.toOne("pet", "Animal"), .toOne("dog", "Dog")])
    )
    try TestStore.write(model, to: app.path("Pets.mom"))
    _ = try TestStore(
      model,
      TestObject("Cat", 1),
      TestObject("Dog", 1),
      TestObject("Owner", 1, links: ["pet": [1], "dog": [1]])
    ).write(to: app.path("store.sqlite"))
    func made(_ mapping: String, _ path: String) -> String {
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', "
        + "'\(mapping)', \(path))"
    }
    try app.write(
      """
      { "bulkmigrate": "mapping/1", "infer": "none",
        "source": { "model": "Pets.mom" }, "destination": { "model": "Pets.mom" },
        "entityMappings": [
          { "source": "Cat", "destination": "Cat" },
          { "name": "Named", "source": "Cat", "destination": "Cat", "filter": "1 == 2" },
          { "source": "Dog", "destination": "Dog", "filter": "name != nil" },
          { "source": "Owner", "destination": "Owner", "relationships": {
            "pet": "\(made("Named", "$source.pet"))", "dog": "\(made("DogToDog", "$source.dog"))" } } ] }
      """,
      to: "pets.json"
    )
    let plan = try run([
      "plan", "-q", "--source", "store.sqlite", "--destination", "new.sqlite", "--mapping",
      "pets.json",
    ])
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(
      try run("run", "-q", "--max-loss", "3").errors == """
        warning: lost: 1 object of Dog: they do not satisfy name != nil
        warning: lost: 1 link of Owner.dog: the object at the other end is not migrated
        warning: lost: 1 link of Owner.pet: the entity mappings that fill the relationship make nothing \
        of the object at the other end

        """
    )
  }
}

import BulkTestSupport
import Testing

struct ChainTests {
  private var routing: Routing
  private var app: AppVersions { routing.app }

  init() throws {
    routing = try Routing()
    routing.request.models = []
    routing.request.mappings = []
    routing.request.mapping = routing.app.path("chain.json")
    try routing.app.writeMapping()
  }

  private func refusal(_ chain: String, store: Int = 1) throws -> String {
    try app.write(#"{ "bulkmigrate": "mapping/1", "chain": [\#(chain)] }"#, to: "chain.json")
    return try routing.refusal(store)
  }

  private static let whole = """
    "App.momd/v1.mom", "App.momd/v2.mom", "v2-to-v3.json", "App.momd/v3.mom", "App.momd/v4.mom"
    """

  @Test(arguments: [
    (1, "v1 → v2, v2 → v3 by v2-to-v3.json, v3 → v4"),
    (2, "v2 → v3 by v2-to-v3.json, v3 → v4"),
    (3, "v3 → v4"),
    (4, "v4 → v4"),
  ])
  func `a store begins where its version stands`(number: Int, steps: String) throws {
    #expect(try refusal(Self.whole, store: number) == steps)
  }

  @Test func `a mapping says which versions stand beside it`() throws {
    try app.writeMapping("v3-to-v4.json", from: "v3", to: "v4", rank: "$source.rank")
    #expect(
      try refusal(#""v2-to-v3.json", "v3-to-v4.json""#, store: 2)
        == "v2 → v3 by v2-to-v3.json, v3 → v4 by v3-to-v4.json"
    )
    #expect(
      try refusal(#""App.momd/v1.mom", "v2-to-v3.json""#, store: 2) == """
        DIR/chain.json: chain: the source of DIR/v2-to-v3.json is not v1
        """
    )
  }

  @Test func `steps that are written are taken even where fewer would do`() throws {
    #expect(
      try refusal(#""App.momd/v1.mom", "App.momd/v3.mom", "App.momd/v4.mom""#)
        == "v1 → v3, v3 → v4"
    )
  }

  @Test func `a path that is there twice and a way in a circle are refused`() throws {
    try FileManager.default.copyItem(
      atPath: app.path("App.momd/v1.mom"),
      toPath: app.path("again.mom")
    )
    let steps = #""App.momd/v1.mom", "App.momd/v2.mom", "#
    #expect(
      try refusal(steps + #""App.momd/v1.mom""#)
        == "DIR/chain.json:1:79: chain: App.momd/v1.mom appears twice"
    )
    #expect(
      try refusal(steps + #""again.mom""#)
        == "DIR/chain.json: chain: version again is v1 again, so that the route would be a circle"
    )
  }

  /// What no hash tells may differ, and a mapping says what is done.
  ///
  /// Without one these are two stages with one checksum (formats/migration.md 9.1).
  @Test func `versions with equal hashes that follow one another are refused without a mapping`()
    throws
  {
    try FileManager.default.copyItem(
      atPath: app.path("App.momd/v2.mom"),
      toPath: app.path("again.mom")
    )
    #expect(
      try refusal(#""App.momd/v1.mom", "App.momd/v2.mom", "again.mom", "App.momd/v4.mom""#) == """
        DIR/chain.json: chain: version again has the version hashes of v2, and no mapping between them says what is \
        done; leave one of them out
        """
    )
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v2.mom" }, "destination": { "model": "again.mom" },
        "entityMappings": [
          { "source": "Note", "destination": "Note", "attributes": { "stars": "$source.stars + 1" } } ] }
      """,
      to: "same.json"
    )
    #expect(
      try refusal(
        #""App.momd/v1.mom", "App.momd/v2.mom", "same.json", "again.mom", "App.momd/v4.mom""#
      ) == "v1 → v2, v2 → again by same.json, again → v4"
    )
  }

  @Test func `a store that is of the last version stays, unless a mapping says what is done`()
    throws
  {
    try FileManager.default.copyItem(
      atPath: app.path("App.momd/v3.mom"),
      toPath: app.path("again.mom")
    )
    try app.writeMapping("again.json", from: "v3", to: "v3", rank: "$source.rank")
    try app.writeStore(3)
    try app.write(
      #"{ "bulkmigrate": "mapping/1", "chain": ["App.momd/v2.mom", "App.momd/v3.mom"] }"#,
      to: "chain.json"
    )
    #expect(try Planner.plan(routing.request).isUpToDate)
    try app.write(
      #"{ "bulkmigrate": "mapping/1", "chain": ["App.momd/v3.mom", "again.json", "again.mom"] }"#,
      to: "chain.json"
    )
    #expect(try Planner.plan(routing.request).isUpToDate == false)
  }

  /// The store is read from its metadata alone, as a migration leaves them behind.
  @Test func `a mapping between equal hashes is not applied again to a store that had it`() throws {
    try app.writeMapping("again.json", from: "v3", to: "v3", rank: "$source.rank")
    try app.write(
      #"{ "bulkmigrate": "mapping/1", "chain": ["App.momd/v3.mom", "again.json", "again.mom", "App.momd/v4.mom"] }"#,
      to: "chain.json"
    )
    try FileManager.default.copyItem(
      atPath: app.path("App.momd/v3.mom"),
      toPath: app.path("again.mom")
    )
    var request = routing.request
    request.mapping = app.path("again.json")
    request.version = "v3"
    request.models = [app.path("App.momd")]
    try app.writeStore(3)
    let again = try Planner.plan(request)
    #expect(again.isUpToDate == false)
    _ = try Migration(inTestProcess: again).run()
    try FileManager.default.removeItem(atPath: app.path("store.sqlite"))
    try FileManager.default.moveItem(
      atPath: app.path("new.sqlite"),
      toPath: app.path("store.sqlite")
    )
    let warning = "\(app.path("again.json")) was applied to the store before; its metadata say so"
    let plan = try Planner.plan(request)
    #expect(plan.isUpToDate)
    #expect(plan.warnings == [warning])
    request.rebuilds = true
    #expect(try Planner.plan(request).isUpToDate == false)
    let chained = try Planner.plan(routing.request)
    #expect(routing.steps(chained) == ["again → v4"])
    #expect(chained.warnings == [warning])
  }

  // formats/migration.md 9.3
  @Test func `a store of another version is refused, and a step that cannot be inferred`() throws {
    #expect(
      try refusal(#""App.momd/v2.mom", "App.momd/v4.mom""#, store: 3) == """
        DIR/store.sqlite is none of the versions of the chain: v2 → v4 (in Core Data error 134504)
        """
    )
    try app.write(package: "App.momd", ["v4"], current: "v4") { _ in
      try .of(EntityDescription("Note", [.optional("title", .date)]))
    }
    #expect(
      try refusal(#""App.momd/v1.mom", "App.momd/v2.mom", "App.momd/v4.mom""#)
        .contains("\n  Note.title: its type changes from String to Date;")
    )
  }

  @Test(arguments: [
    (
      #"{ "bulkmigrate": "mapping/1", "chain": 7 }"#, "chain: it is a number, not an array of paths"
    ),
    (
      #"{ "bulkmigrate": "mapping/1", "chain": [], "infer": "none" }"#,
      "chain: chain and infer exclude each other"
    ),
    (#"{ "bulkmigrate": "mapping/1", "chain": [""] }"#, "chain: it is empty, not a text"),
    (#"{ "bulkmigrate": "mapping/1", "chain": [] }"#, "its chain has fewer than two versions"),
  ])
  func `a chain that is none is refused`(text: String, reason: String) throws {
    try app.write(text, to: "chain.json")
    #expect(try routing.refusal(1).hasSuffix(reason))
  }
}

import BulkTestSupport
import Testing

@Suite("Mappings of which a model is not known", .tags(.promise24)) struct StaleMappingTests {
  private var routing: Routing
  private var app: AppVersions { routing.app }

  init() throws {
    routing = try Routing()
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("title"), .optional("rank", .integer32)])),
      to: routing.app.path("Old.mom")
    )
  }

  private func write(_ name: String, from source: String, to destination: String) throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "\(source)" }, "destination": { "model": "\(destination)" },
        "entityMappings": [ { "source": "Note", "destination": "Note" } ] }
      """,
      to: name
    )
  }

  /// Core Data would not find the mapping either (formats/migration.md 1.2).
  @Test func `one whose destination has changed is refused where the step would be inferred`()
    throws
  {
    try write("v2-to-v3.json", from: "App.momd/v2.mom", to: "Old.mom")
    let refusal = """
      DIR/v2-to-v3.json is for this route, but cannot be used: its source model is v2; its \
      destination model is none of the versions; v3 differs from it in Note; without it v2 → v4 would \
      be inferred, and what it carries would be lost
      correct the mapping, or pass --ignore-mapping 'DIR/v2-to-v3.json' to continue anyway
      """
    #expect(try routing.refusal(2) == refusal)
    #expect(
      try routing.refusal(1)
        == refusal.replacing("without it v2 → v4", with: "without it v1 → v4")
    )
    #expect(try routing.refusal(3) == "v3 → v4")
  }

  @Test(arguments: [
    (
      "Old.mom", "App.momd/v3.mom",
      "its destination model is v3; its source model is none of the versions; v3 differs from it in Note; "
    ),
    (
      "App.momd/v2.mom", "gone.mom",
      "its source model is v2; DIR/gone.mom cannot be read: the file does not exist; "
    ),
  ])
  func `one whose source has changed, or whose model is not there, is refused`(
    source: String,
    destination: String,
    reason: String
  ) throws {
    try write("v2-to-v3.json", from: source, to: destination)
    let refusal = try routing.refusal(2)
    #expect(
      refusal.hasPrefix(
        "DIR/v2-to-v3.json is for this route, but cannot be used: \(reason)without it v2 → v4 would"
      ),
      "\(refusal)"
    )
    #expect(try routing.refusal(3) == "v3 → v4")
  }

  @Test func `one that is ignored by name gives way to inference`() throws {
    try write("v2-to-v3.json", from: "App.momd/v2.mom", to: "Old.mom")
    var routing = routing
    routing.request.ignoredMappings = [app.path("v2-to-v3.json")]
    let plan = try routing.plan(2)
    #expect(routing.steps(plan) == ["v2 → v4"])
    #expect(plan.warnings == [])
    routing.request.ignoredMappings = [app.path("v2-to-v3.json"), app.path("nowhere.json")]
    #expect(
      try routing.refusal(2) == "DIR/nowhere.json cannot be read: the file or folder does not exist"
    )
  }

  @Test(arguments: [nil, "v2"]) func `one of one version is reported, since no route takes it`(
    version: String?
  ) throws {
    try write("v2-to-v2.json", from: "App.momd/v2.mom", to: "App.momd/v2.mom")
    var routing = routing
    routing.request.version = version
    let reason = "both of its models are v2, so that it applies only where it is named"
    let warning = "\(app.path("v2-to-v2.json")) is not used: \(reason)"
    #expect(try routing.plan(2).warnings == [warning])
  }

  @Test func `one of quite other versions is passed over`() throws {
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("heading")])),
      to: app.path("Older.mom")
    )
    try write("older-to-old.json", from: "Older.mom", to: "Old.mom")
    #expect(try routing.refusal(2) == "v2 → v4")
    // Each is a version that was found, though of another line.
    try app.write(package: "Other.momd", ["w1", "w2"], current: "w2") { name in
      try .of(EntityDescription("Note", [.optional(name)]))
    }
    try write("w1-to-v2.json", from: "Other.momd/w1.mom", to: "App.momd/v2.mom")
    var routing = routing
    routing.request.models.append(app.path("Other.momd"))
    #expect(try routing.refusal(1) == "v1 → v4")
  }

  @Test func `one that leads on from the end of the way is not for it`() throws {
    try write("v2-to-old.json", from: "App.momd/v2.mom", to: "Old.mom")
    var routing = routing
    routing.request.version = "v2"
    #expect(try routing.refusal(1) == "v1 → v2")
    try write("old-to-v2.json", from: "Old.mom", to: "App.momd/v2.mom")
    routing.request.version = nil
    routing.request.ignoredMappings = [app.path("v2-to-old.json")]
    #expect(try routing.refusal(2) == "v2 → v4")
  }

  @Test func `one beside a mapping that is used does no harm`() throws {
    try app.writeMapping()
    try write("copy.json", from: "App.momd/v2.mom", to: "Old.mom")
    #expect(try routing.refusal(2) == "v2 → v3 by v2-to-v3.json, v3 → v4")
  }

  @Test func `one that names no models is refused if it names entities of the way`() throws {
    try app.write(
      #"{ "bulkmigrate": "mapping/1", "entityMappings": [ { "source": "Note" } ] }"#,
      to: "nameless.json"
    )
    #expect(
      try routing.refusal(1).hasPrefix(
        "DIR/nameless.json is for this route, but cannot be used: it names no source model; it names no "
          + "destination model; without it v1 → v4 would be inferred, and what it carries would be lost\n"
      )
    )
    var there = routing
    there.request.version = "v2"
    try app.writeMapping()
    #expect(
      try there.refusal(4).contains("\n  DIR/nameless.json is not used: it names no source model\n")
    )
    try FileManager.default.removeItem(atPath: app.path("v2-to-v3.json"))
    try app.write(
      #"{ "bulkmigrate": "mapping/1", "entityMappings": [ { "source": "Dog" } ] }"#,
      to: "nameless.json"
    )
    #expect(try routing.refusal(1) == "v1 → v4")
  }
}

import BulkTestSupport
import Testing

/// Stores stand for the versions that wrote them, as those of SwiftData, whose models are Swift code.
struct StoreVersionTests {
  private let directory = TemporaryDirectory()

  init() throws {
    _ = try directory.folder("stores")
    try writeStore("a", version: "1.0.0", attributes: ["title"], rows: 2)
    try writeStore("b", version: "2.0.0", attributes: ["title", "body"], rows: 0)
    try writeStore("c", version: "10.0.0", attributes: ["title", "body", "tag"], rows: 0)
  }

  private func writeStore(
    _ name: String,
    version: String,
    attributes: [String],
    rows: Int
  ) throws {
    let model = try ManagedObjectModel(
      entities: [EntityDescription("Note", attributes.map { .optional($0) })],
      versionIdentifiers: [version]
    )
    try TestStore.write(model, to: directory.path("\(name).mom"))
    var store = TestStore(model)
    store.objects = (0..<rows).map { TestObject("Note", Int64($0 + 1)) }
    store.applicationMetadata["NSStoreModelVersionIdentifiers"] = .array([.string(version)])
    _ = try store.write(to: directory.path("stores/\(name).store"))
  }

  private func run(_ words: [String]) throws -> ProcessRun {
    try Program(.call, in: directory)(words)
  }

  private func plan(_ words: [String], of store: String = "stores/a.store") throws -> ProcessRun {
    try run(["plan", "--source", store, "--destination", "new.store"] + words)
  }

  /// The model that a plan leads to.
  private func destination(_ plan: ProcessRun) throws -> Substring {
    try #require(plan.status == 0, "\(plan.errors)")
    let lines = plan.output.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix("destination ") })
    return lines[place + 1]
  }

  @Test(
    arguments: [
      ([], "c"), (["--to", "b"], "b"), (["--to", "b.store"], "b"), (["--to", "2.0.0"], "b"),
    ] as [([String], String)]
  )
  func `the highest version is the current one, and another is named by file or identifier`(
    words: [String],
    name: String
  ) throws {
    let plan = try plan(["--models", "stores"] + words)
    #expect(
      try destination(plan) == "  model      kept in stores/\(name).store"
    )
    #expect(try run(["run", "-q"]).status == 0)
    let inspected = try run(["inspect", "new.store", "--models", "stores", "--metadata-only"])
    #expect(inspected.output.contains("Model version\n  \(name)\n"), "\(inspected.output)")
    #expect(inspected.output.contains("\n  the current version\n") == (name == "c"))
  }

  @Test func `an identifier that several versions have is refused with their files`() throws {
    try writeStore("d", version: "2.0.0", attributes: ["title", "colour"], rows: 0)
    let plan = try plan(["--models", "stores", "--to", "2.0.0"])
    #expect(plan.status == 64, "\(plan.errors)")
    for part in ["several versions have the identifier 2.0.0;", "  b.store\n", "  d.store\n"] {
      #expect(plan.errors.contains(part), "\(plan.errors)")
    }
  }

  @Test func `stores that are named are versions beside a model, and in a chain`() throws {
    let named = try plan(["--models", "c.mom", "--models", "stores/b.store", "--to", "b"])
    #expect(named.status == 0, "\(named.errors)")
    // Where there is a model, a folder's other stores are none.
    let other = try plan(["--models", "b.mom", "--models", "stores", "--to", "c"])
    #expect(other.status == 64, "\(other.errors)")
    let chain = ["a", "b", "c"].map { "\"stores/\($0).store\"" }.joined(separator: ",")
    try Files.write(
      Array("{\"bulkmigrate\":\"mapping/1\",\"chain\":[\(chain)]}".utf8),
      to: directory.path("chain.json")
    )
    let chained = try plan(["--mapping", "chain.json"])
    #expect(chained.status == 0, "\(chained.errors)")
    #expect(
      chained.output.contains("through      kept in stores/b.store"),
      "\(chained.output)"
    )
    let empty = try plan(["--models", directory.folder("empty")])
    #expect(empty.status == 65, "\(empty.errors)")
    #expect(empty.errors.contains("there is no model in empty"))
  }

  // MARK: Real ones

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
  func `versions of freezeray are found by their identifiers`() throws {
    let folder = SharedData.path("swiftdata/freezeray")
    let planned = try plan(["--models", folder], of: folder + "/App-1_0_0.sqlite")
    #expect(try destination(planned).hasSuffix("App-2_0_0.sqlite"), "\(planned.output)")
    for words in [["run", "-q"], ["verify", "--level", "full"]] {
      #expect(try run(words).status == 0)
    }
    let inspected = try run(["inspect", folder + "/App-1_0_0.sqlite"])
    #expect(inspected.output.contains("App-1_0_0.sqlite: SwiftData store\n"), "\(inspected.output)")
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
  func `three versions of cocktails have one identifier, and their names`() throws {
    let folder = SharedData.path("swiftdata/cocktails")
    let source = folder + "/2024-09-21.store"
    let refused = try plan(["--models", folder, "--to", "1.0.0"], of: source)
    #expect(refused.status == 64)
    for name in ["2024-09-09.store", "2024-09-21.store", "2024-11-09.store"] {
      #expect(refused.errors.contains("  \(name)\n"), "\(refused.errors)")
    }
    let planned = try plan(["--models", folder, "--to", "2024-11-09"], of: source)
    #expect(planned.status == 0, "\(planned.errors)")
    for words in [["run", "-q", "--max-loss", "all"], ["verify", "--level", "full"]] {
      let done = try run(words)
      #expect(done.status == 0, "\(done.errors)")
    }
    // Arrays inside a struct are JSON text in a binary element, an enumeration is an element of its own name.
    #expect(
      try StoreFile(directory.path("new.store")).rows(
        "SELECT CAST(ZFLAVORS AS TEXT), ZGLASSWARETYPE, ZGIMLET FROM ZCOCKTAIL WHERE Z_PK = 2"
      ) == [[#"["a","b"]"#, "glasswaretype 2", nil]]
    )
    let evaluated = try run([
      "mapping", "try", "--source", folder + "/2024-11-09.store", "--entity", "Cocktail",
      "--expression",
      "historicSpec.gimlet", "--where", "historicSpec.gimlet != nil", "--sample", "1",
    ])
    #expect(
      evaluated.output.contains(#"  Cocktail 78  "gimlet 78"  string"#),
      "\(evaluated.output)"
    )
  }
}

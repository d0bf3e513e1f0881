import BulkTestSupport
import Foundation
import Testing

/// Stores stand for the versions that wrote them, as those of SwiftData, whose models are Swift code.
@Suite(
  "Stores as versions",
  .enabled(if: Program.path != nil, "needs the built program")
)
struct StoreVersionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
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
    let model = try directory.folder("\(name).xcdatamodel")
    let lines = attributes.map {
      #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
    }
    try Data(
      """
      <?xml version="1.0"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="\(version)">
      <entity name="Note">\(lines.joined())</entity></model>
      """.utf8
    ).write(to: URL(fileURLWithPath: model + "/contents"))
    let made = try run(
      "fixture",
      "-q",
      "--model",
      "\(name).xcdatamodel",
      "--rows",
      "Note=\(rows)",
      "--output",
      "stores/\(name).store"
    )
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ words: String...) throws -> ProcessRun {
    try ProcessRun(
      Program.path ?? "/nowhere",
      words,
      in: directory.path,
      environment: Program.environment
    )
  }

  private func plan(_ words: String...) throws -> ProcessRun {
    try ProcessRun(
      Program.path ?? "/nowhere",
      ["plan", "--source", "stores/a.store", "--destination", "new.store"] + words,
      in: directory.path,
      environment: Program.environment
    )
  }

  /// The model that a plan leads to.
  private func destination(_ plan: ProcessRun) -> String? {
    plan.output.components(separatedBy: "\ndestination ").dropFirst().first?
      .split(separator: "\n").dropFirst().first.map(String.init)
  }

  @Test func `the store with the highest version is the current one`() throws {
    let plan = try plan("--models", "stores")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(
      destination(plan)
        == "  model      kept in \(directory.path("stores/c.store"))"
    )
    #expect(try run("run", "-q").status == 0)
    let inspected = try run("inspect", "new.store", "--models", "stores", "--metadata-only")
    #expect(
      inspected.output.contains("Model version\n  c\n  the current version\n"),
      "\(inspected.output)"
    )
  }

  @Test(arguments: ["b", "b.store", "2.0.0"])
  func `a version is named by its file or its identifier`(name: String) throws {
    let plan = try plan("--models", "stores", "--to", name)
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(destination(plan)?.hasSuffix("stores/b.store") == true, "\(plan.output)")
  }

  @Test func `an identifier that several versions have is refused with their files`() throws {
    try writeStore("d", version: "2.0.0", attributes: ["title", "colour"], rows: 0)
    let plan = try plan("--models", "stores", "--to", "2.0.0")
    #expect(plan.status == 64, "\(plan.errors)")
    #expect(
      plan.errors.contains(
        "several versions have the identifier 2.0.0; pass --to with one of its versions:"
      ),
      "\(plan.errors)"
    )
    #expect(plan.errors.contains("  b.store\n") && plan.errors.contains("  d.store\n"))
  }

  @Test func `stores that are named are versions beside a model`() throws {
    let plan = try plan("--models", "c.xcdatamodel", "--models", "stores/b.store", "--to", "b")
    #expect(plan.status == 0, "\(plan.errors)")
    // Where there is a model, a folder's other stores are none.
    let other = try self.plan("--models", "b.xcdatamodel", "--models", "stores", "--to", "c")
    #expect(other.status == 64, "\(other.errors)")
  }

  @Test func `a chain goes over stores`() throws {
    try Data(
      #"{"bulkmigrate":"mapping/1","chain":["stores/a.store","stores/b.store","stores/c.store"]}"#
        .utf8
    ).write(to: URL(fileURLWithPath: directory.path("chain.json")))
    let plan = try plan("--mapping", "chain.json")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(
      plan.output.contains("through      kept in \(directory.path("stores/b.store"))"),
      "\(plan.output)"
    )
  }

  @Test func `a folder without models and stores is said to have none`() throws {
    _ = try directory.folder("empty")
    let plan = try plan("--models", "empty")
    #expect(plan.status == 65, "\(plan.errors)")
    #expect(
      plan.errors.hasPrefix("bulkmigrate: there is no model in \(directory.path("empty"))"),
      "\(plan.errors)"
    )
  }

  // MARK: Real ones

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
  func `versions of freezeray are found by their identifiers`() throws {
    let folder = SharedData.path("swiftdata/freezeray")
    let planned = try run(
      "plan",
      "--source",
      folder + "/App-1_0_0.sqlite",
      "--destination",
      "new.store",
      "--models",
      folder
    )
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(destination(planned)?.hasSuffix("App-2_0_0.sqlite") == true, "\(planned.output)")
    #expect(try run("run", "-q").status == 0)
    #expect(try run("verify", "--level", "full").status == 0)
    let inspected = try run("inspect", folder + "/App-1_0_0.sqlite")
    #expect(inspected.output.contains("App-1_0_0.sqlite: SwiftData store\n"), "\(inspected.output)")
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared"))
  func `three versions of cocktails have one identifier, and their names`() throws {
    let folder = SharedData.path("swiftdata/cocktails")
    let source = [
      "plan", "--source", folder + "/2024-09-21.store", "--destination", "new.store", "--models",
      folder,
    ]
    let refused = try ProcessRun(
      Program.path ?? "/nowhere",
      source + ["--to", "1.0.0"],
      in: directory.path,
      environment: Program.environment
    )
    #expect(refused.status == 64)
    for name in ["2024-09-09.store", "2024-09-21.store", "2024-11-09.store"] {
      #expect(refused.errors.contains("  \(name)\n"), "\(refused.errors)")
    }
    let planned = try ProcessRun(
      Program.path ?? "/nowhere",
      source + ["--to", "2024-11-09"],
      in: directory.path,
      environment: Program.environment
    )
    #expect(planned.status == 0, "\(planned.errors)")
    let done = try run("run", "-q", "--max-loss", "all")
    #expect(done.status == 0, "\(done.errors)")
    #expect(try run("verify", "--level", "full").status == 0)
    // Arrays inside a struct are JSON text in a binary element, an enumeration is an element of its own name.
    #expect(
      try StoreFile(directory.path("new.store")).rows(
        "SELECT CAST(ZFLAVORS AS TEXT), ZGLASSWARETYPE, ZGIMLET FROM ZCOCKTAIL WHERE Z_PK = 2"
      ) == [[#"["a","b"]"#, "glasswaretype 2", nil]]
    )
    let evaluated = try run(
      "evaluate",
      folder + "/2024-11-09.store",
      "Cocktail",
      "historicSpec.gimlet",
      "--where",
      "historicSpec.gimlet != nil",
      "--sample",
      "1"
    )
    #expect(
      evaluated.output.contains(#"  Cocktail 78  "gimlet 78"  string"#),
      "\(evaluated.output)"
    )
  }
}

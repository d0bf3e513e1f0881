import BulkTestSupport
import Testing

/// Stores of shipped versions against the versions of an app, as Core Data and SwiftData would open them.
struct CheckCommandTests {
  private let directory = TemporaryDirectory()
  private let program: Program

  init() throws {
    program = Program(.call, in: directory)
    for folder in ["stores", "models"] { _ = try directory.folder(folder) }
  }

  /// Writes a model with an entity Note, and a store of it.
  private func write(
    _ name: String,
    _ identifier: String,
    _ attributes: [AttributeDescription],
    unique: [[String]] = []
  ) throws {
    let model = try ManagedObjectModel(
      entities: [EntityDescription("Note", attributes, unique: unique)],
      versionIdentifiers: [identifier]
    )
    try TestStore.write(model, to: directory.path("models/\(name).mom"))
    var store = TestStore(model)
    store.applicationMetadata["NSStoreModelVersionIdentifiers"] = .array([.string(identifier)])
    _ = try store.write(to: directory.path("stores/\(name).store"))
  }

  private static let title = AttributeDescription.optional("title")
  private static let tag = AttributeDescription.optional("tag")
  private static let needed = AttributeDescription.required("tag")
  private static let number = AttributeDescription.required("tag", .integer64, default: 0)

  private func check(_ words: String) throws -> ProcessRun {
    try program(["check"] + words.words)
  }

  private func expect(
    _ words: String,
    _ status: Int32,
    _ parts: [String],
    location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try check(words)
    #expect(run.status == status, "\(run.errors)", sourceLocation: location)
    // Columns are as wide as what is in them.
    let lines = (run.output + run.errors).split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
    for part in parts { #expect(lines.contains(part), "\(lines)", sourceLocation: location) }
  }

  @Test func `what inference reaches is told, and what it does not`() throws {
    try write("v1", "1.0.0", [Self.title])
    try write("v2", "2.0.0", [Self.title, Self.tag])
    try write("v3", "3.0.0", [Self.title, Self.needed], unique: [["title"]])
    try write("v4", "4.0.0", [Self.title, Self.number])
    try expect(
      "stores/v1.store stores/v2.store stores/v3.store --models stores --to v3",
      1,
      [
        "stores, opened by v3\n",
        "STORE VERSION v1 v2 v3 v4 RESULT BULKMIGRATE\n",
        "stores/v1.store v1 same light custom light NEEDS A CUSTOM STAGE → v3 (inferred)\n",
        "stores/v2.store v2 – same custom refused NEEDS A CUSTOM STAGE → v3 (inferred)\n",
        "stores/v3.store v3 – – same refused opens nothing to do\n",
        """
        stores/v1.store: a custom stage must prepare the rows before
        the app: An error occurred during persistent store migration. (134110)
        Note.tag is new and required and has no default value: no object may be there
        Note.title becomes unique: no two objects may have equal values
        """, "\nNote.tag becomes required and has no default value: no object may have nil\n",
        "\n3 stores: 1 opened, 2 not",
      ]
    )
  }

  @Test func `custom stages are checked one by one, and their change must be inferable too`() throws
  {
    try write("v1", "1.0.0", [Self.title])
    try write("v2", "2.0.0", [Self.title, Self.tag])
    try write("v3", "3.0.0", [Self.title, Self.needed])
    let words = "stores/v1.store stores/v2.store --models stores --stage 2.0.0:3.0.0"
    try expect(words, 0, [" custom stages ", "2 stores: 2 opened, 0 not"])
    try write("v4", "4.0.0", [Self.title, Self.number])
    try expect(
      words + " --stage v3:v4.store",
      1,
      [
        "stores/v1.store: no single stage makes this change; add a version between",
        "the app: Persistent store migration failed, missing mapping model. (134140)\n",
        "v3 → v4: Note.tag: its type changes from String to Integer 64",
      ]
    )
  }

  @Test func `a version that was changed after it shipped is told with the key of the hash`() throws
  {
    try write("shipped", "1.0.0", [Self.title, Self.tag])
    try write("now", "1.0.0", [Self.title, Self.needed])
    try expect(
      "stores/shipped.store --models models/now.mom",
      1,
      [
        "stores/shipped.store none CHANGED → now (inferred)\n",
        "stores/shipped.store: version 1.0.0 was changed after it shipped\n",
        "the app: Cannot use staged migration with an unknown model version. (134504)\n",
        "Note.tag becomes required and has no default value: no object may have nil\n",
        "it differs from now:\nNote.tag: isOptional true → false\n", "1 store: 0 opened, 1 not",
      ]
    )
  }

  @Test func `a store of several models is checked by all of them`() throws {
    let entities = [EntityDescription("Note", [Self.title]), EntityDescription("Tag", [Self.tag])]
    for entity in entities {
      _ = try directory.folder("models/\(entity.name)")
      let model = try ManagedObjectModel(entities: [entity])
      try TestStore.write(model, to: directory.path("models/\(entity.name)/v1.mom"))
    }
    let store = try TestStore(ManagedObjectModel(entities: entities))
    _ = try store.write(to: directory.path("stores/both.store"))
    let parts = ["models/Tag, opened by v1 + v1\n", "v1 + v1 same opens nothing to do\n"]
    try expect("stores/both.store --models models", 0, parts + ["1 store: 1 opened, 0 not"])
  }

  @Test func `two versions with one checksum, and an identifier of several, are faults`() throws {
    try write("a", "1.0.0", [Self.title])
    try write("b", "2.0.0", [Self.title])
    try write("c", "2.0.0", [Self.title, Self.tag])
    try expect(
      "stores/a.store --models stores",
      1,
      [
        "a.store and b.store have one checksum, so a migration plan with both throws",
        "2 versions have the identifier 2.0.0: b.store, c.store; a version that has shipped was",
        "1 store: 1 opened, 0 not; 2 faults of the versions",
      ]
    )
  }

  @Test func `a table for a pull request is Markdown`() throws {
    try write("v1", "1.0.0", [Self.title])
    try write("v2", "2.0.0", [Self.title, Self.tag])
    try expect(
      "stores/v1.store no.store --models stores --markdown",
      66,
      [
        "stores, opened by v2**\n", "\n| STORE | VERSION | v1 | v2 | RESULT | BULKMIGRATE |\n",
        "\n| stores/v1.store | v1 | same | light | light | → v2 (inferred) |\n",
        "\n| no.store | none | UNREADABLE | |\n", "\n- no.store: no such file\n",
      ]
    )
  }

  @Test func `of more than eight versions those with one outcome are told together`() throws {
    for number in 1...10 {
      let more = (1...number).map { AttributeDescription.optional("a\($0)") }
      try write("v\(number)", "\(number).0.0", more + (number < 9 ? [] : [Self.needed]))
    }
    try expect(
      "stores/v3.store --models stores",
      1,
      ["\nstores/v3.store v3 light v4 to v8, custom v9 to v10 NEEDS"]
    )
  }

  @Test func `two models with versions of the same names have tables of their own`() throws {
    for name in ["A", "B"] {
      _ = try directory.folder("\(name).momd")
      for (version, attributes) in [("v1", [Self.title]), ("v2", [Self.title, Self.tag])] {
        let model = try ManagedObjectModel.of(EntityDescription(name, attributes))
        try TestStore.write(model, to: directory.path("\(name).momd/\(version).mom"))
        guard version == "v1" else { continue }
        _ = try TestStore(model).write(to: directory.path("\(name).sqlite"))
      }
    }
    let run = try check("A.sqlite B.sqlite --models A.momd --models B.momd")
    #expect(run.status == 0)
    let tables = run.output.components(separatedBy: ", opened by")
    #expect(tables.count == 3, "\(run.output)")
    #expect(tables[0].hasSuffix("A.momd") && tables[1].hasSuffix("B.momd"))
    #expect(tables[1].contains("\nA.sqlite  v1 ") && tables[2].contains("\nB.sqlite  v1 "))
  }

  @Test func `a version that cannot be read is a fault of the versions, not of a store`() throws {
    try write("v1", "1.0.0", [Self.title])
    try write("v2", "2.0.0", [Self.title, Self.tag])
    try Files.write(Array("bplist".utf8), to: directory.path("models/bad.mom"))
    let words = "stores/v1.store --models models --to "
    try expect(words + "v2", 1, ["1 store: 1 opened, 0 not; 1 fault of the versions"])
    try expect(words + "bad", 65, ["bad.mom"])
  }

  @Test(arguments: ["\n", "\r\n"])
  func `the stores of a list are read line by line`(end: String) throws {
    for name in ["v1", "v2"] { try write(name, "1.0.0", [Self.title]) }
    let list = ["v1", "v2"].map { directory.path("stores/\($0).store") + end }.joined()
    try program.write(list, to: "list.txt")
    try expect("--sources list.txt --models models/v1.mom", 0, ["2 stores: 2 opened, 0 not"])
  }

  @Test(
    arguments: [
      ("stores/v1.store", 64, "--models DIR is missing, the versions of the app"),
      ("--models stores", 64, "missing operand STORE"),
      ("stores/v1.store --models stores --stage v1", 64, "--stage: v1 is not FROM:TO"),
      ("stores/v1.store --models stores --stage v1:v9", 64, "v9 names no version"),
      ("stores/v1.store --models stores --to 9.0.0", 64, "9.0.0 names no version"),
      ("stores/v1.store --models empty", 65, "there is no version among the models; searched:"),
      ("--sources no.txt --models stores", 66, "no.txt cannot be read as UTF-8 text"),
    ] as [(String, Int32, String)]
  )
  func `what contradicts itself is refused`(words: String, status: Int32, message: String) throws {
    try write("v1", "1.0.0", [Self.title])
    _ = try directory.folder("empty")
    try expect(words, status, [message])
  }
}

import BulkTestSupport
import Foundation
import Testing

/// Stores of shipped versions against the versions of an app, as Core Data and SwiftData would open them.
@Suite(
  "Check",
  .enabled(if: Program.path != nil, "needs the built program")
)
struct CheckCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for folder in ["stores", "models"] { _ = try directory.folder(folder) }
  }

  /// Writes a model with an entity Note, and a store of it.
  private func write(
    _ name: String,
    _ identifier: String,
    _ attributes: String,
    constraint: String? = nil,
    rows: Int = 0
  ) throws {
    let model = try directory.folder("models/\(name).xcdatamodel")
    let constraints = constraint.map {
      #"<uniquenessConstraints><uniquenessConstraint><constraint value="\#($0)"/></uniquenessConstraint></uniquenessConstraints>"#
    }
    try Data(
      """
      <?xml version="1.0"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="\(identifier)">
      <entity name="Note">\(attributes)\(constraints ?? "")</entity></model>
      """.utf8
    ).write(to: URL(fileURLWithPath: model + "/contents"))
    let made = try run(
      "fixture",
      "-q",
      "--model",
      "models/\(name).xcdatamodel",
      "--rows",
      "Note=\(rows)",
      "--output",
      "stores/\(name).store"
    )
    try #require(made.status == 0, "\(made.errors)")
  }

  private static let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
  private static let tag = #"<attribute name="tag" optional="YES" attributeType="String"/>"#
  private static let needed = #"<attribute name="tag" attributeType="String"/>"#
  private static let number =
    #"<attribute name="tag" attributeType="Integer 64" defaultValueString="0"/>"#

  private func run(_ words: String...) throws -> Failure { try run(words) }

  private func run(_ words: [String]) throws -> Failure {
    let run = try ProcessRun(
      Program.path ?? "/nowhere",
      words,
      in: directory.path,
      environment: ["TERM": "dumb"]
    )
    return Failure(
      status: run.status,
      errors: run.errors.replacing(directory.path, with: "DIR"),
      output: run.output.replacing(directory.path, with: "DIR")
    )
  }

  @Test func `what inference reaches is told, and what it does not`() throws {
    try write("v1", "1.0.0", Self.title)
    try write("v2", "2.0.0", Self.title + Self.tag)
    try write("v3", "3.0.0", Self.title + Self.needed, constraint: "title")
    try write("v4", "4.0.0", Self.title + Self.number)
    let check = try run(
      "check",
      "stores/v1.store",
      "stores/v2.store",
      "stores/v3.store",
      "--models",
      "stores",
      "--to",
      "v3"
    )
    #expect(check.status == 1)
    #expect(
      check.output == """
        DIR/stores, opened by v3

        STORE            VERSION  v1    v2     v3      v4       RESULT                BULKMIGRATE
        stores/v1.store  v1       same  light  custom  light    NEEDS A CUSTOM STAGE  → v3 (inferred)
        stores/v2.store  v2       –     same   custom  refused  NEEDS A CUSTOM STAGE  → v3 (inferred)
        stores/v3.store  v3       –     –      same    refused  opens                 nothing to do

        stores/v1.store: a custom stage must prepare the rows before
          the app: An error occurred during persistent store migration. (134110)
          Note.tag is new and required and has no default value: no object may be there
          Note.title becomes unique: no two objects may have equal values

        stores/v2.store: a custom stage must prepare the rows before
          the app: An error occurred during persistent store migration. (134110)
          Note.tag becomes required and has no default value: no object may have nil
          Note.title becomes unique: no two objects may have equal values

        3 stores: 1 opened, 2 not

        """
    )
  }

  @Test func `custom stages are judged one by one, and their change must be inferable too`() throws
  {
    try write("v1", "1.0.0", Self.title)
    try write("v2", "2.0.0", Self.title + Self.tag)
    try write("v3", "3.0.0", Self.title + Self.needed)
    let words = ["check", "stores/v1.store", "stores/v2.store", "--models", "stores"]
    let staged = try run(words + ["--stage", "2.0.0:3.0.0"])
    #expect(staged.status == 0, "\(staged.output)")
    #expect(staged.output.hasSuffix("2 stores: 2 opened, 0 not\n"))
    #expect(staged.output.contains("  custom stages  "))

    try write("v4", "4.0.0", Self.title + Self.number)
    let refused = try run(words + ["--stage", "2.0.0:3.0.0", "--stage", "v3:v4.store"])
    #expect(refused.status == 1)
    #expect(
      refused.output.contains(
        """
        stores/v1.store: no single stage makes this change; add a version between, which has the old and the new \
        property, and carry the values there in a custom stage, or write a mapping model
          the app: Persistent store migration failed, missing mapping model. (134140)
          v3 → v4: Note.tag: its type changes from String to Integer 64; say how in a mapping file, which mapping --init begins

        """
      ),
      "\(refused.output)"
    )
  }

  @Test func `a version that was changed after it shipped is told with the key of the hash`() throws
  {
    try write("shipped", "1.0.0", Self.title + Self.tag)
    try write("now", "1.0.0", Self.title + Self.needed)
    let check = try run("check", "stores/shipped.store", "--models", "models/now.xcdatamodel")
    #expect(check.status == 1)
    #expect(
      check.output == """
        DIR/models, opened by now

        STORE                 VERSION  now  RESULT   BULKMIGRATE
        stores/shipped.store  none          CHANGED  → now (inferred)

        stores/shipped.store: version 1.0.0 was changed after it shipped
          the app: Cannot use staged migration with an unknown model version. (134504)
          without a migration plan it is inferred, if the rows allow it
          Note.tag becomes required and has no default value: no object may have nil
          it differs from now:
            Note.tag: isOptional true → false

        1 store: 0 opened, 1 not

        """
    )
  }

  @Test func `two versions with one checksum, and an identifier of several, are faults`() throws {
    try write("a", "1.0.0", Self.title)
    try write("b", "2.0.0", Self.title)
    try write("c", "2.0.0", Self.title + Self.tag)
    let check = try run("check", "stores/a.store", "--models", "stores")
    #expect(check.status == 1)
    #expect(
      check.output.hasSuffix(
        """
        DIR/stores:
          a.store and b.store have one checksum, so a migration plan with both throws "Duplicate version checksums \
        detected."
          2 versions have the identifier 2.0.0: b.store, c.store; a version that has shipped was changed in its place

        1 store: 1 opened, 0 not; 2 faults of the versions

        """
      ),
      "\(check.output)"
    )
  }

  @Test func `a table for a pull request is Markdown`() throws {
    try write("v1", "1.0.0", Self.title)
    try write("v2", "2.0.0", Self.title + Self.tag)
    let check = try run("check", "stores/v1.store", "no.store", "--models", "stores", "--markdown")
    #expect(check.status == 66)
    #expect(
      check.output == """
        **DIR/stores, opened by v2**

        | STORE | VERSION | v1 | v2 | RESULT | BULKMIGRATE |
        | --- | --- | --- | --- | --- | --- |
        | stores/v1.store | v1 | same | light | light | → v2 (inferred) |

        | STORE | VERSION | RESULT | BULKMIGRATE |
        | --- | --- | --- | --- |
        | no.store | none | UNREADABLE |  |

        - no.store: cannot be read
          - no.store: no such file

        2 stores: 1 opened, 1 not

        """
    )
  }

  @Test func `of more than eight versions those with one outcome are told together`() throws {
    var attributes = ""
    for number in 1...10 {
      attributes += #"<attribute name="a\#(number)" optional="YES" attributeType="String"/>"#
      if number == 9 { attributes += Self.needed }
      try write("v\(number)", "\(number).0.0", attributes)
    }
    let check = try run("check", "stores/v3.store", "--models", "stores")
    #expect(
      check.output.contains("\nstores/v3.store  v3       light v4 to v8, custom v9 to v10  NEEDS"),
      "\(check.output)"
    )
  }

  @Test func `two models with versions of the same names have tables of their own`() throws {
    for model in ["A", "B"] {
      for (version, attributes) in [("v1", Self.title), ("v2", Self.title + Self.tag)] {
        let folder = try directory.folder("\(model).xcdatamodeld/\(version).xcdatamodel")
        try Data(
          "<?xml version=\"1.0\"?><model><entity name=\"\(model)\">\(attributes)</entity></model>"
            .utf8
        ).write(to: URL(fileURLWithPath: folder + "/contents"))
      }
      let made = try run(
        "fixture",
        "-q",
        "--model",
        "\(model).xcdatamodeld/v1.xcdatamodel",
        "--rows",
        "\(model)=0",
        "--output",
        "\(model).sqlite"
      )
      try #require(made.status == 0, "\(made.errors)")
    }
    let check = try run(
      "check",
      "A.sqlite",
      "B.sqlite",
      "--models",
      "A.xcdatamodeld",
      "--models",
      "B.xcdatamodeld"
    )
    #expect(check.status == 0)
    let titles = check.output.split(separator: "\n").filter { $0.contains("opened by") }
    #expect(titles.map { $0.prefix(20) } == ["DIR/A.xcdatamodeld, ", "DIR/B.xcdatamodeld, "])
    let tables = check.output.components(separatedBy: "B.xcdatamodeld, opened by")
    #expect(tables.count == 2 && tables[0].contains("\nA.sqlite  v1 "), "\(check.output)")
    #expect(tables.count == 2 && tables[1].contains("\nB.sqlite  v1 "), "\(check.output)")
  }

  @Test func `a version that cannot be read is a fault of the versions, not of a store`() throws {
    try write("v1", "1.0.0", Self.title)
    try write("v2", "2.0.0", Self.title + Self.tag)
    _ = try directory.folder("models/bad.xcdatamodel")
    try Data("<model".utf8).write(
      to: URL(fileURLWithPath: directory.path("models/bad.xcdatamodel/contents"))
    )
    let check = try run("check", "stores/v1.store", "--models", "models", "--to", "v2")
    #expect(check.status == 1)
    #expect(
      check.output.hasSuffix("1 store: 1 opened, 0 not; 1 fault of the versions\n"),
      "\(check.output)"
    )
    let opening = try run("check", "stores/v1.store", "--models", "models", "--to", "bad")
    #expect(opening.status == 65)
    #expect(opening.errors.contains("bad.xcdatamodel/contents: line"), "\(opening.errors)")
  }

  @Test(arguments: [
    (["check", "stores/v1.store"], "--models DIR is missing, the versions of the app"),
    (["check", "--models", "stores"], "missing operand STORE"),
    (
      ["check", "stores/v1.store", "--models", "stores", "--stage", "v1"],
      "--stage: v1 is not FROM:TO, two versions of the app"
    ),
    (
      ["check", "stores/v1.store", "--models", "stores", "--stage", "v1:v9"], "v9 names no version"
    ),
    (
      ["check", "stores/v1.store", "--models", "stores", "--to", "9.0.0"], "9.0.0 names no version"
    ),
  ])
  func `what contradicts itself is refused`(words: [String], message: String) throws {
    try write("v1", "1.0.0", Self.title)
    let check = try run(words)
    #expect(check.status == 64, "\(check.errors)")
    #expect(check.errors.contains(message), "\(check.errors)")
  }

  @Test func `a folder without versions and a list that is not there are refused`() throws {
    _ = try directory.folder("empty")
    let empty = try run("check", "a.store", "--models", "empty")
    #expect(empty.status == 65)
    #expect(
      empty.errors.hasPrefix("bulkmigrate: there is no version among the models; searched:"),
      "\(empty.errors)"
    )
    try write("v1", "1.0.0", Self.title)
    let list = try run("check", "--sources", "no.txt", "--models", "stores")
    #expect(list.status == 66)
    #expect(list.errors == "bulkmigrate: the list of stores no.txt cannot be read as UTF-8 text\n")
  }
}

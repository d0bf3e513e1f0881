import Testing

/// Each statement about Core Data's migrator and about the layout of its stores is named by a test, or
/// stands here with the reason why none names it.
struct MigratorPointTests {
  /// The sections whose statements tests hold, by page.
  private static let sections = ["migration.md": Array(1...9), "store.md": [3, 4, 5, 6, 7, 9, 10]]

  /// The statements that no test names.
  private static let exceptions = [
    "migration.md 1.1":
      "models are named, found by --models, or the store's own; there are no bundles and frameworks",
    "migration.md 1.4": "what a mapping says decides how it is carried out, not its name",
    "migration.md 1.7": "routes and chains are tested for themselves",
    "migration.md 3.1": "a new file is filled, or a copy changed; oracle pairs compare the outcome",
    "migration.md 4.1": "which tables Core Data rewrites cannot be seen in the outcome",
    "migration.md 4.2": "the column has the declared type of its attribute, with the same values",
    "migration.md 4.7": "the private key in the user info is not read",
    "migration.md 4.11": "tests of indexes name store.md 7.3",
    "migration.md 4.12": "columns are found by name; oracle pairs compare the outcome",
    "migration.md 5.6": "nothing is dropped on a failure: a migration that fails makes no store",
    "migration.md 7.3":
      "an index that the destination's model has is always made; the model decides about quick copies",
    "migration.md 8.4":
      "one store is published at the end, so a save between mappings would not show",
    "migration.md 8.5":
      "a dictionary's order has no counterpart; mappings and rows come in their order",
    "migration.md 8.7": "memory is bounded",
    "migration.md 8.12": "random plans and their reference hold it (tools/prove relationships)",
    "migration.md 8.18": "there are no classes of the app",
    "migration.md 8.19": "policies associate by the manager's methods, which PolicyTests holds",
    "migration.md 8.21": "tests of inference name 2.9",
    "migration.md 8.22": "several mapping models are one migration",
    "migration.md 9.4": "each schema change is an inferred step, as all others",
    "migration.md 9.5": "models are named by their paths",
    "store.md 3.2": "every real store holds it",
    "store.md 3.6": "every real store holds it",
    "store.md 4.6": "every real store holds it",
    "store.md 5.5": "tests of join tables name section 6",
    "store.md 6.4": "6.2 and 6.3 hold it",
    "store.md 7.4": "an old index of a source is read, none is made",
    "store.md 7.6": "IndexTests holds it with the fetch indexes of 7.5",
    "store.md 7.7": "IndexTests holds it with the fetch indexes of 7.5",
    "store.md 7.8": "IndexTests holds it with the fetch indexes of 7.5",
    "store.md 7.9": "IndexTests holds it with the fetch indexes of 7.5",
    "store.md 7.13": "indexes are compared without their names",
    "store.md 9.3": "triggers are made last; tests of derived attributes hold it",
    "store.md 9.4": "DerivedTriggerTests holds it with the names of 9.2",
    "store.md 10.1": "histories are copied with their tables",
    "store.md 10.2": "what Core Data does when it reads a history",
  ]

  private static func statements() throws -> [String] {
    let numbers = try FormatPages.numbers()
    return sections.flatMap { page, sections in
      (numbers[page] ?? []).filter { number in
        sections.contains { number.hasPrefix("\($0).") }
      }
      .map { "\(page) \($0)" }
    }
    .sorted()
  }

  /// The statements that tests name.
  private static func named() throws -> Set<String> {
    let files = try FormatPages.texts().texts.filter { path, _ in
      path.hasPrefix("Tests/") && !path.hasSuffix("MigratorPointTests.swift")
    }
    return Set(files.values.flatMap(FormatPages.citations).map { "\($0.page) \($0.number ?? "")" })
  }

  @Test func `each statement is named by a test, or has a reason why none names it`() throws {
    let (statements, named) = (try Self.statements(), try Self.named())
    #expect(statements.count > 130)
    #expect(statements.filter { !named.contains($0) && Self.exceptions[$0] == nil } == [])
  }

  @Test func `a reason is about a statement that no test names`() throws {
    let (statements, named) = (Set(try Self.statements()), try Self.named())
    #expect(named.intersection(Self.exceptions.keys).sorted() == [])
    #expect(Set(Self.exceptions.keys).subtracting(statements).sorted() == [])
  }

  @Test func `lists and ranges of statements are read`() {
    let text = "formats/migration.md 2.13, 2.14 and 2.20; formats/migration.md 9.1 to 9.3"
    #expect(
      FormatPages.citations(in: text).map(\.number)
        == ["2.13", "2.14", "2.20", "9.1", "9.2", "9.3"]
    )
  }
}

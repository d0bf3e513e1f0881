import BulkTestSupport
import Foundation
import Testing

/// Stores that Core Data and SwiftData wrote, against the versions of their apps.
@Suite(
  "Check of real stores",
  .enabled(if: Program.path != nil && SharedData.isPresent, "needs the built program and ../shared")
)
struct RealCheckTests {
  private func check(_ folder: String, _ stores: [String], _ words: String...) throws -> ProcessRun
  {
    try ProcessRun(
      Program.path ?? "/nowhere",
      ["check"] + stores + words,
      in: SharedData.path(folder),
      environment: ["TERM": "dumb"]
    )
  }

  /// The table of a report, a line each with single spaces between its cells.
  private func table(_ run: ProcessRun) -> [String] {
    run.output.split(separator: "\n").dropFirst().prefix { !$0.contains(": ") }
      .map {
        $0.split(separator: "  ", omittingEmptySubsequences: true).map(trimmed).joined(
          separator: " | "
        )
      }
  }

  private func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }

  @Test func `two stores of cocktails are versions that were changed after they shipped`() throws {
    let run = try check(
      "swiftdata/cocktails",
      ["2024-09-09.store", "2024-09-21.store"],
      "--models",
      "2024-11-09.store"
    )
    #expect(run.status == 1)
    #expect(
      run.output.split(separator: "\n").dropFirst().joined(separator: "\n") == """
        STORE             VERSION  2024-11-09  RESULT   BULKMIGRATE
        2024-09-09.store  none                 CHANGED  → 2024-11-09 (inferred)
        2024-09-21.store  none                 CHANGED  → 2024-11-09 (inferred)
        2024-09-09.store: version 1.0.0 was changed after it shipped
          the app: Cannot use staged migration with an unknown model version. (134504)
          without a migration plan it is inferred, if the rows allow it
          Cocktail.favorite is new and required and has no default value: no object may be there
          it differs from 2024-11-09:
            Cocktail.favorite: attribute added
            Cocktail.historicSpec: attribute added
            Cocktail.imageAsset: relationship removed
            CocktailImage: entity removed
        2024-09-21.store: version 1.0.0 was changed after it shipped
          the app: Cannot use staged migration with an unknown model version. (134504)
          without a migration plan it is inferred from the model that the store keeps
          it differs from 2024-11-09:
            Cocktail.historicSpec: attribute added
            Cocktail.imageAsset: relationship removed
            CocktailImage: entity removed
        2 stores: 0 opened, 2 not
        """
    )
  }

  @Test func `three versions of cocktails share an identifier`() throws {
    let names = ["2024-09-09", "2024-09-21", "2024-11-09"]
    let run = try check("swiftdata/cocktails", names.map { $0 + ".store" }, "--models", ".")
    #expect(run.status == 1)
    let expected: [String] = [
      "STORE | VERSION | 2024-09-09 | 2024-09-21 | 2024-11-09 | RESULT | BULKMIGRATE",
      "2024-09-09.store | 2024-09-09 | same | custom | custom | NEEDS A CUSTOM STAGE | → 2024-11-09 (inferred)",
      "2024-09-21.store | 2024-09-21 | – | same | light | light | → 2024-11-09 (inferred)",
      "2024-11-09.store | 2024-11-09 | – | – | same | opens | nothing to do",
    ]
    #expect(table(run) == expected)
    #expect(
      run.output.hasSuffix(
        """
          3 versions have the identifier 1.0.0: 2024-09-09.store, 2024-09-21.store, 2024-11-09.store; a version that has \
        shipped was changed in its place

        3 stores: 2 opened, 1 not; 1 fault of the versions

        """
      ),
      "\(run.output)"
    )
  }

  @Test func `the second version of freezeray opens both of its stores`() throws {
    let run = try check(
      "swiftdata/freezeray",
      ["App-1_0_0.sqlite", "App-2_0_0.sqlite"],
      "--models",
      "."
    )
    #expect(run.status == 0)
    let expected: [String] = [
      "STORE | VERSION | App-1_0_0 | App-2_0_0 | RESULT | BULKMIGRATE",
      "App-1_0_0.sqlite | App-1_0_0 | same | light | light | → App-2_0_0 (inferred)",
      "App-2_0_0.sqlite | App-2_0_0 | – | same | opens | nothing to do",
    ]
    #expect(table(run) == expected)
  }

  @Test func `three stores of bookmarks are light, up to the sixth version`() throws {
    let run = try check(
      "bookmarks",
      ["Bookmarks_V1.sqlite", "Bookmarks_V2.sqlite", "Bookmarks_V3.sqlite"],
      "--models",
      "BookmarksModel.xcdatamodeld"
    )
    #expect(run.status == 0)
    let expected: [String] = [
      "Bookmarks_V1.sqlite | BookmarksModel | same | light | light | light | light | light | light | "
        + "→ BookmarksModel 6 (inferred)",
      "Bookmarks_V2.sqlite | BookmarksModel 2 | – | same | light | light | light | light | light | "
        + "→ BookmarksModel 6 (inferred)",
      "Bookmarks_V3.sqlite | BookmarksModel 3 | – | – | same | light | light | light | light | "
        + "→ BookmarksModel 6 (inferred)",
    ]
    #expect(Array(table(run).dropFirst()) == expected)
  }

  @Test func `a mandatory relationship needs a custom stage`() throws {
    let names = ["CoreDataMigration_Example_1.sqlite", "CoreDataMigration_Example_2.sqlite"]
    let model = "CoreDataMigration_Example.xcdatamodeld"
    let run = try check("wibosco", names, "--models", model)
    #expect(run.status == 1)
    #expect(run.output.contains("  Post.color is new and required: no object may be there\n"))
    let staged = try check(
      "wibosco",
      names,
      "--models",
      model,
      "--stage",
      "CoreDataMigration_Example 2:CoreDataMigration_Example 3"
    )
    #expect(staged.status == 0, "\(staged.output)")
  }

  /// That other links of this pair lead to another entity is none (formats/migration.md 2.13, 2.17).
  @Test func `CareKit's notes lead to one task, which Core Data refuses`() throws {
    let run = try check(
      "carekit",
      ["SampleStore2.0.sqlite"],
      "--models",
      "CareKitStore.xcdatamodeld"
    )
    #expect(run.status == 1)
    #expect(
      table(run).last
        == "SampleStore2.0.sqlite | CareKitStore2.0 | same | refused | REFUSED | → CareKitStore2.1 (inferred)"
    )
    #expect(
      run.output.contains(
        "  the app: Persistent store migration failed, missing mapping model. (134140)\n"
          + "  OCKCDNote.task: becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects\n"
      )
    )
    #expect(!run.output.contains("HealthKitLinkage"))
  }

  @Test func `every store of wire is light up to the last version`() throws {
    let stores = ["2-21-1", "2-31-0", "2-48-0"].map { "stores/store\($0).sqlite" }
    let run = try check("wire", stores, "--models", "models")
    #expect(run.status == 0)
    let reaches = table(run).dropFirst().map { row in row.components(separatedBy: " | ")[2] }
    let expected = [
      "light zmessaging2.21.2 to zmessaging2.92.0", "light zmessaging2.39.0 to zmessaging2.92.0",
      "light zmessaging2.80.0 to zmessaging2.92.0",
    ]
    #expect(Array(reaches) == expected)
  }
}

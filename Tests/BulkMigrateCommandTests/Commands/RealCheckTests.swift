import BulkTestSupport
import Testing

/// Stores that Core Data and SwiftData wrote, against the versions of their apps.
@Suite("Check of real stores", .enabled(if: SharedData.isPresent, "needs ../shared"))
struct RealCheckTests {
  private func check(_ folder: String, _ stores: [String], _ words: String...) -> ProcessRun {
    CommandCall.run(["check"] + stores + words, in: SharedData.path(folder))
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
    let run = check(
      "swiftdata/cocktails",
      ["2024-09-09.store", "2024-09-21.store"],
      "--models",
      "2024-11-09.store"
    )
    #expect(run.status == 1)
    #expect(
      table(run).dropFirst() == [
        "2024-09-09.store | none | CHANGED | → 2024-11-09 (inferred)",
        "2024-09-21.store | none | CHANGED | → 2024-11-09 (inferred)",
      ]
    )
    for line in [
      "2024-09-09.store: version 1.0.0 was changed after it shipped\n"
        + "  the app: Cannot use staged migration with an unknown model version. (134504)\n"
        + "  without a migration plan it is inferred, if the rows allow it\n"
        + "  Cocktail.favorite is new and required and has no default value: no object may be there\n"
        + "  it differs from 2024-11-09:\n    Cocktail.favorite: attribute added\n",
      "  without a migration plan it is inferred from the model that the store keeps\n",
      "2 stores: 0 opened, 2 not\n",
    ] {
      #expect(run.output.contains(line), "\(run.output)")
    }
  }

  @Test func `three versions of cocktails share an identifier`() throws {
    let names = ["2024-09-09", "2024-09-21", "2024-11-09"]
    let run = check("swiftdata/cocktails", names.map { $0 + ".store" }, "--models", ".")
    #expect(run.status == 1)
    let expected: [String] = [
      "STORE | VERSION | 2024-09-09 | 2024-09-21 | 2024-11-09 | RESULT | BULKMIGRATE",
      "2024-09-09.store | 2024-09-09 | same | custom | custom | NEEDS A CUSTOM STAGE | → 2024-11-09 (inferred)",
      "2024-09-21.store | 2024-09-21 | – | same | light | light | → 2024-11-09 (inferred)",
      "2024-11-09.store | 2024-11-09 | – | – | same | opens | nothing to do",
    ]
    #expect(table(run) == expected)
    #expect(run.output.contains("  3 versions have the identifier 1.0.0: 2024-09-09.store, "))
    #expect(run.output.hasSuffix("3 stores: 2 opened, 1 not; 1 fault of the versions\n"))
  }

  @Test func `a mandatory relationship needs a custom stage`() throws {
    let names = ["CoreDataMigration_Example_1.sqlite", "CoreDataMigration_Example_2.sqlite"]
    let model = "CoreDataMigration_Example.xcdatamodeld"
    let run = check("wibosco", names, "--models", model)
    #expect(run.status == 1)
    #expect(run.output.contains("  Post.color is new and required: no object may be there\n"))
    let stage = "CoreDataMigration_Example 2:CoreDataMigration_Example 3"
    let staged = check("wibosco", names, "--models", model, "--stage", stage)
    #expect(staged.status == 0, "\(staged.output)")
  }

  /// That other links of this pair lead to another entity is none (formats/migration.md 2.13, 2.17).
  @Test func `CareKit's notes lead to one task, which Core Data refuses`() throws {
    let models = "CareKitStore.xcdatamodeld"
    let run = check("carekit", ["SampleStore2.0.sqlite"], "--models", models)
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
}

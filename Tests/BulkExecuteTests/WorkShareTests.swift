import BulkTestSupport
import Testing

/// The share of a run's work that is done, where the number of rows does not tell it.
struct WorkShareTests {
  private struct Report {
    let stage: MigrationProgress.Stage
    let rows: Int64
    let share: Double
  }

  private static func reports(_ planned: Planned) throws -> [Report] {
    var migration = Migration(inTestProcess: planned.plan)
    migration.batchRows = 1_000
    var reports: [Report] = []
    migration.report = { progress in
      guard let share = progress.share else {
        Issue.record("no share in \(progress)")
        return
      }
      reports.append(Report(stage: progress.stage, rows: progress.rowsDone, share: share))
    }
    _ = try migration.run()
    let shares = reports.map(\.share)
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { $0 >= 0 && $0 <= 1 })
    #expect(shares.last == 1)
    return reports
  }

  /// 20,000 people with two numbers each, of which ten people have the same.
  private static func people(_ mapping: EntityMapping) throws -> Planned {
    var store = TestStore(
      try .of(EntityDescription("Person", [.optional("phones")]))
    )
    store.sql = [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZPHONES)
      SELECT i, 1, 1, i / 10 || ',+' || i / 10 FROM n
      """,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 20000",
    ]
    return try Planned(
      store,
      to: .of(EntityDescription("Phone", [.optional("number")])),
      by: [mapping]
    )
  }

  @Test func `it grows while elements are grouped, before an object is made`() throws {
    let reports = try Self.reports(
      Self.people(
        .of(
          "Person",
          "Phone",
          forEach: "FUNCTION($source.phones, \"componentsSeparatedByString:\", \",\")",
          unique: ["number"],
          ["number": "$element"]
        )
      )
    )
    // Twenty ranges of a thousand people are read for groups, and as many for objects.
    let grouping = reports.filter { $0.rows == 0 }.map(\.share)
    #expect(Set(grouping).count >= 20)
    #expect(grouping.contains { $0 > 0.3 })
  }

  @Test func `it grows with the rows that a filter reads and leaves out`() throws {
    let reports = try Self.reports(
      Self.people(
        .of(
          "Person",
          "Phone",
          where: "FUNCTION(phones, \"length\") > 100",
          ["number": "$source.phones"]
        )
      )
    )
    #expect(reports.allSatisfy { $0.rows == 0 })
    #expect(Set(reports.map(\.share)).count >= 20)
  }

  @Test func `it grows while members get their places, when all rows are written`() throws {
    func model(isOrdered: Bool) throws -> ManagedObjectModel {
      try .of(
        .init("Folder", [], [.toMany("notes", "Note.folder", isOrdered: isOrdered)]),
        .init("Note", [], [.toOne("folder", "Folder.notes")])
      )
    }
    var store = TestStore(try model(isOrdered: false))
    store.sql = [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) SELECT i, 1, 1 FROM n
      """,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER) SELECT i, 2, 1, i % 1000 + 1 FROM n
      """,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_ENT WHEN 1 THEN 1000 ELSE 50000 END",
    ]
    let reports = try Self.reports(Planned(store, to: model(isOrdered: true)))
    let written = reports.filter { $0.rows == 51_000 && $0.stage == .indexes }.map(\.share)
    #expect(Set(written).count >= 4)
  }
}

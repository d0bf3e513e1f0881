import BulkTestSupport
import BulkMigrate
import Testing

extension VerificationTests {
  @Test func `a stopped verification is resumed, and found the same`() throws {
    let migrated = try MigratedNotes()
    try migrated.destination.execute("UPDATE ZNOTE SET ZTITLE = 'x' WHERE Z_PK = 39")
    var questions = 0
    // Asked at every moment in turn, until nothing is left to stop.
    for limit in 0... {
      questions = 0
      var verification = migrated.verification(.full)
      verification.stopRequest = {
        questions += 1
        return questions > limit ? .atOnce : nil
      }
      do {
        let report = try verification.run()
        #expect(
          report.sentences
            == [#"Note 39, title: expected "note 39", found "x" (made from Note 39)"#]
        )
        break
      } catch MigrationError.cancelled {}
    }
    #expect(questions > 2)
    #expect(try !migrated.directory.contents().contains("destination.sqlite.verification"))
  }

  @Test func `what a stopped verification of another source has left is removed`() throws {
    let migrated = try MigratedNotes()
    var stage = VerificationProgress.Stage.checking
    var verification = migrated.verification(.full)
    verification.report = { stage = $0.stage }
    verification.stopRequest = { stage == .comparing ? .atOnce : nil }
    #expect(throws: MigrationError.self) { try verification.run() }
    #expect(try migrated.directory.contents().contains("destination.sqlite.verification"))
    try StoreFile(migrated.plan.source.store).execute("UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 3")
    for name in ["destination.sqlite", ".destination_SUPPORT"] {
      try FileManager.default.removeItem(atPath: migrated.directory.path(name))
    }
    let plan = try migrated.plan.plannedAgain()
    _ = try Migration(inTestProcess: plan).run()
    #expect(try Verification(inTestProcess: plan).run().sentences == [])
  }
}

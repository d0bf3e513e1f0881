import BulkTestSupport
import BulkMigrate
import Testing

/// The odd ones of notes 1 to 40 are there, ten in each of two folders, each with tag 1 and with tag 3 or 5.
struct ExpectationTests {
  /// What comes of an expectation: `nil` if it is met.
  private func reason(_ expectation: String) throws -> String? {
    let report = try MigratedNotes(expecting: [expectation]).report(.quick)
    let result = try #require(report.expectations?.first)
    #expect(report.sentences == [])
    #expect(report.isVerified == result.isMet)
    #expect(result.isMet == (result.reason == nil))
    return result.reason
  }

  @Test(arguments: [
    #"{ "entity": "Note", "count": 20 }"#,
    #"{ "entity": "Note", "count": { "least": 20, "most": 20 } }"#,
    #"{ "entity": "Note", "count": { "source": "Note", "where": "stars != nil" } }"#,
    #"{ "entity": "Folder", "holds": "notes.@count == 10" }"#,
    #"{ "entity": "Folder", "key": 1 }"#,
    #"{ "entity": "Folder", "key": 3, "count": 0 }"#,
    #"{ "entity": "Tag", "where": "notes.@count == 0", "count": 2 }"#,
    #"{ "entity": "Note", "key": 7, "holds": "stars == 8 AND rank == 3.5 AND folder.notes.@count == 10" }"#,
    #"{ "entity": "Note", "where": "ANY tags.name == 'TAG 5'", "count": 10 }"#,
  ])
  func `what is so is met`(expectation: String) throws {
    let reason = try reason(expectation)
    #expect(reason == nil)
  }

  @Test(arguments: [
    (#"{ "entity": "Note", "count": 21 }"#, "expected 21, found 20"),
    (#"{ "entity": "Note", "count": 0 }"#, "expected none, found 20"),
    (#"{ "entity": "Note", "count": { "least": 21 } }"#, "expected at least 21, found 20"),
    (#"{ "entity": "Note", "count": { "most": 3 } }"#, "expected at most 3, found 20"),
    (#"{ "entity": "Note", "count": { "least": 2, "most": 3 } }"#, "expected 2 to 3, found 20"),
    (#"{ "entity": "Note", "count": { "source": "Note" } }"#, "expected 40, found 20"),
    (#"{ "entity": "Note", "key": 2 }"#, "expected at least 1, found 0"),
    (#"{ "entity": "Tag", "holds": "notes.@count > 0" }"#, "2 objects do not hold: keys 2, 4"),
    (
      #"{ "entity": "Note", "key": 7, "holds": "stars == 7" }"#,
      "1 object does not hold: key 7"
    ),
    (
      #"{ "entity": "Note", "where": "image != nil", "count": 0 }"#,
      "expected none, found 1"
    ),
    (
      #"{ "entity": "Note", "count": 1, "holds": "stars < 20" }"#,
      "expected 1, found 20; 10 objects do not hold: keys 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, …"
    ),
  ])
  func `what is not so is told`(expectation: String, expected: String) throws {
    let count = expected.contains("…") ? "11 objects" : "10 objects"
    let reason = try reason(expectation)
    #expect(reason == expected.replacing("10 objects", with: count))
  }

  @Test func `a predicate that cannot be evaluated is not met, and says why`() throws {
    let found = try #require(
      try reason(
        #"{ "entity": "Note", "holds": "FUNCTION(title, 'substringFromIndex:', 7) != 'x'" }"#
      )
    )
    #expect(found.hasPrefix("5 objects do not hold: keys 1, 3, 5, 7, 9 (object 1: "))
    #expect(found.contains("substringFromIndex:"))
  }

  @Test func `expectations are looked at in their order, at level full as well`() throws {
    let migrated = try MigratedNotes(expecting: [
      #"{ "name": "first", "entity": "Note", "count": 20 }"#,
      #"{ "entity": "Tag", "where": "name == 'x'", "count": 1 }"#,
    ])
    let report = try migrated.report(.full)
    #expect(report.rowsCompared > 0)
    #expect(report.differenceCount == 0)
    #expect(!report.isVerified)
    #expect(report.unmetCount == 1)
    let results = try #require(report.expectations)
    #expect(results.map(\.name) == ["first", "Tag where name == 'x'"])
    #expect(results.map(\.objects) == [20, 0])
    #expect(results.map(\.isMet) == [true, false])
  }

  @Test func `a mapping file without expectations has no results`() throws {
    #expect(try MigratedNotes().report(.quick).expectations == nil)
  }

  @Test func `a run that is asked to stop ends between two objects`() throws {
    let migrated = try MigratedNotes(expecting: [#"{ "entity": "Note", "count": 20 }"#])
    var verification = migrated.verification(.quick)
    var isExpecting = false
    verification.report = { isExpecting = $0.stage == .expecting }
    verification.stopRequest = { isExpecting ? .atOnce : nil }
    #expect(throws: MigrationError.self) { try verification.run() }
  }
}

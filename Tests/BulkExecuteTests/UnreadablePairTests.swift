import BulkCoding
import BulkExecute
import BulkModel
import BulkPlan
import BulkTestSupport
import BulkVersions
import Foundation
import Testing

/// Pages of a table of pairs that SQLite cannot read: 60 notes with 40 tags each, of which a page holds some hundreds.
@Suite("Unreadable pages of pairs") struct UnreadablePairTests {
  private static func model(
    isOrdered: Bool,
    _ more: AttributeDescription...
  ) throws -> ManagedObjectModel {
    try .of(
      EntityDescription(
        "Note",
        [.optional("title")] + more,
        [.toMany("tags", "Tag", inverse: "notes", isOrdered: isOrdered)]
      ),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
  }

  /// Of pairs with places the index is smaller than the table, so that SQLite counts its entries instead.
  @Test(arguments: [false, true], [false, true])
  func `its pairs are left out, and one line tells the page`(
    isLast: Bool,
    isOrdered: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    var store = TestStore(try Self.model(isOrdered: isOrdered))
    store.objects = (1...40).map { TestObject("Tag", $0) }
    store.objects += (1...60).map {
      TestObject("Note", $0, ["title": .string("note \($0)")], links: ["tags": Array(1...40)])
    }
    let source = try store.write(to: directory.path("source.sqlite"))
    let table = "Z_1TAGS"
    let all = try source.rows("SELECT count(*), max(rowid) FROM \(table)")
    #expect(all == [[2_400, 2_400]])
    let leaves = try source.leaves(of: table)
    let place = isLast ? leaves.count - 1 : 1
    let content = try source.page(leaves[place])
    // The rows of a leaf are as many as its header says.
    let lost = Int64(content[3]) << 8 | Int64(content[4])
    try source.write(Array(repeating: 0, count: 4096), to: leaves[place])
    try TestStore.write(store.model, to: directory.path("source.mom"))
    try TestStore.write(
      Self.model(isOrdered: isOrdered, .optional("more")),
      to: directory.path("destination.mom")
    )
    let request = PlanRequest(in: directory)
    var migration = Migration(inTestProcess: try Planner.plan(request))
    migration.rejects = RejectPolicy(.quarantine)
    let outcome = try migration.run()
    #expect(outcome.rejected == lost)
    #expect(
      outcome.losses.map(\.description) == [
        "\(lost) links of \(table): they are on pages that cannot be read"
      ]
    )
    let destination = StoreFile(directory.path("destination.sqlite"), keeping: directory)
    #expect(
      try destination.rows("SELECT count(*) FROM \(table)") == [[.integer(2_400 - lost)]]
    )
    #expect(try destination.rows("SELECT count(*) FROM ZNOTE") == [[60]])
    #expect(try destination.integrity() == [["ok"]])
    let folder = try #require(outcome.rejectFolderPath)
    let line = try String(contentsOfFile: "\(folder)/Note.jsonl", encoding: .utf8)
    #expect(
      line.hasPrefix(
        #"{"entity": "Note", "table": "\#(table)", "page": \#(leaves[place]), "keys": ["#
      ),
      "\(line)"
    )
    #expect(line.hasSuffix(isLast ? ", null]}\n" : "]}\n"))
    #expect(line.split(separator: "\n").count == 1)
  }
}

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
    var store = TestStore(try Self.model(isOrdered: isOrdered))
    store.objects = (1...40).map { TestObject("Tag", $0) }
    store.objects += (1...60).map {
      TestObject("Note", $0, ["title": .string("note \($0)")], links: ["tags": Array(1...40)])
    }
    let table = "Z_1TAGS"
    var (page, lost) = (0, Int64(0))
    let model = try Self.model(isOrdered: isOrdered, .optional("more"))
    let planned = try Planned(store, to: model) { source in
      #expect(try source.rows("SELECT count(*), max(rowid) FROM \(table)") == [[2_400, 2_400]])
      let leaves = try source.leaves(of: table)
      page = leaves[isLast ? leaves.count - 1 : 1]
      let content = try source.page(page)
      // The rows of a leaf are as many as its header says.
      lost = Int64(content[3]) << 8 | Int64(content[4])
      try source.write(Array(repeating: 0, count: 4096), to: page)
    }
    let outcome = try planned.run { $0.rejects = RejectPolicy(.quarantine) }
    #expect(outcome.rejected == lost)
    #expect(
      outcome.lossLines == ["\(lost) links of \(table): they are on pages that cannot be read"]
    )
    #expect(
      try planned.made.rows("SELECT count(*), (SELECT count(*) FROM ZNOTE) FROM \(table)")
        == [[.integer(2_400 - lost), 60]]
    )
    let folder = try #require(outcome.rejectFolderPath)
    let line = try String(contentsOfFile: "\(folder)/Note.jsonl", encoding: .utf8)
    #expect(
      line.hasPrefix(
        #"{"entity": "Note", "table": "\#(table)", "page": \#(page), "keys": ["#
      ),
      "\(line)"
    )
    #expect(line.hasSuffix(isLast ? ", null]}\n" : "]}\n"))
    #expect(line.split(separator: "\n").count == 1)
  }
}

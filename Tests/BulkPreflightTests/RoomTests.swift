import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkPreflight
import BulkTestSupport
import Foundation
import Testing

/// The room that a preflight foresees, beside what a run takes.
@Suite("The room of a migration")
struct RoomTests {
  /// Notes with a hundred bytes of text, numbered from 1.
  private static func notes(_ count: Int64) throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", [.optional("stars", .integer64), .optional("text")]))
    )
    store.objects = (1...count).map { key in
      let values: [String: AttributeValue] = [
        "stars": .integer(key), "text": .string(String(repeating: "x", count: 100)),
      ]
      return TestObject("Note", key, values)
    }
    return store
  }

  private static func preflighted(
    _ store: TestStore,
    most stars: Int64? = nil,
    text: String
  ) throws -> Preflighted {
    var rank = AttributeDescription.optional("stars", .integer64)
    rank.validationPredicates =
      try stars.map { [try ValuePredicate(format: "SELF <= \($0)")] } ?? []
    return try Preflighted(
      store,
      to: .of(EntityDescription("Note", [rank, .optional("text")])),
      by: [.of("Note", "Note", ["stars": "$source.stars", "text": text])]
    )
  }

  private static let thrice =
    "FUNCTION(FUNCTION($source.text, 'stringByAppendingString:', $source.text), "
    + "'stringByAppendingString:', $source.text)"

  /// The text of the destination is three times as long as that of the source.
  @Test(arguments: [nil, 0.1]) func `values that are evaluated take their own room`(
    sample: Double?
  ) throws {
    let preflighted = try Self.preflighted(Self.notes(4000), text: Self.thrice)
    let room = try #require(try preflighted.report(sample: sample).room)
    let migration = Migration(inTestProcess: preflighted.plan)
    let path = try #require(try migration.run().destinationPath)
    let made = Double(try Data(contentsOf: URL(fileURLWithPath: path)).count)
    #expect(Double(room.neededBytes) > made / 1.3)
    #expect(Double(room.neededBytes) < made * 1.3)
  }

  /// Half of the notes are left out.
  @Test func `reject files take room`() throws {
    let preflighted = try Self.preflighted(Self.notes(4000), most: 2000, text: "$source.text")
    let room = try #require(try preflighted.report().room)
    var migration = Migration(inTestProcess: preflighted.plan)
    migration.rejects = RejectPolicy(.quarantine)
    let outcome = try migration.run()
    #expect(outcome.rejected == 2000)
    let folder = URL(fileURLWithPath: try #require(outcome.rejectFolderPath))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
      try Data(contentsOf: folder.appendingPathComponent($0)).count
    }
    let bytes = Double(files.reduce(0, +))
    #expect(Double(room.temporaryBytes) > bytes / 1.3)
    #expect(Double(room.temporaryBytes) < bytes * 1.6)
  }
}

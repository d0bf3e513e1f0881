import BulkCoding
import BulkExecute
import BulkModel
import BulkPlan
import BulkPreflight
import BulkTestSupport
import BulkVersions
import Foundation
import Testing

@Suite("The room that a run takes, measured") struct MeasuredRoomTests {
  private static func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(
      EntityDescription(
        "Note",
        [.optional("title"), .optional("old")] + more,
        [.toOne("folder", "Folder", inverse: "notes")]
      ),
      EntityDescription("Folder", [], [.toMany("notes", "Note", inverse: "folder")])
    )
  }

  /// No notes, of which only the empty tables count, or many with a new text that is longer than all else in them.
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy], [0, 3_000] as [Int64])
  func `it is told to within three tenths`(strategy: StoreStrategy.Kind, notes: Int64) throws {
    let directory = try TemporaryDirectory()
    var store = TestStore(try Self.model())
    store.objects = [TestObject("Folder", 1)]
    store.objects += (0..<notes).map {
      TestObject("Note", $0 + 1, ["title": .string("note \($0)")], links: ["folder": [1]])
    }
    _ = try store.write(to: directory.path("source.sqlite"))
    try TestStore.write(store.model, to: directory.path("source.mom"))
    let text = AttributeValue.string(String(repeating: "a text ", count: 30))
    try TestStore.write(
      Self.model(.required("text", default: text)),
      to: directory.path("destination.mom")
    )
    var request = PlanRequest()
    request.source = directory.path("source.sqlite")
    request.sourceModel = directory.path("source.mom")
    request.destination = directory.path("destination.sqlite")
    request.destinationModel = directory.path("destination.mom")
    request.strategy = strategy
    let plan = try Planner.plan(request)
    var preflight = Preflight(plan)
    preflight.memoryLimit = .gibibytes(64)
    let room = try #require(try preflight.run().room)
    var migration = Migration(plan)
    migration.memoryLimit = .gibibytes(64)
    migration.threads = 1
    var peak: Int64 = 0
    migration.stopRequest = {
      peak = max(peak, Self.bytes(in: directory.path))
      return nil
    }
    _ = try migration.run()
    peak = max(peak, Self.bytes(in: directory.path))
    let share = Double(room.neededBytes) / Double(peak)
    #expect(share > 1 / 1.3 && share < 1.3, "\(room), measured \(peak)")
  }

  /// The bytes of the destination and of all that lies beside it for its sake.
  private static func bytes(in folder: String) -> Int64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("destination.sqlite") }.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (attributes?[.size] as? Int64 ?? 0)
    }
  }
}

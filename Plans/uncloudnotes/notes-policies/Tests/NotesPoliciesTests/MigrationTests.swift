import BulkFixture
import BulkMigrate
import Foundation
import NotesPolicies
import Testing

struct MigrationTests {
  /// The policy's name in the mapping file, without its module.
  private static let policies: [String: any EntityMigrationPolicy] = [
    "AttachmentToImageAttachmentMigrationPolicyV3toV4": ImageAttachmentPolicy()
  ]

  @Test func `every attachment becomes an image attachment`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bulkmigrate-example-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["UnCloudNotesDataModel.xcdatamodeld", "v3-to-v4.json"] {
      try FileManager.default.copyItem(
        at: example.appendingPathComponent(name),
        to: folder.appendingPathComponent(name)
      )
    }
    let model = try ManagedObjectModel(
      contentsOf: folder.path
        + "/UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel v3.xcdatamodel"
    )
    var fixture = FixtureRequest()
    fixture.rows = ["Note": 100, "Attachment": 50]
    _ = try Fixture(model, fixture).write(to: folder.path + "/UnCloudNotesDataModel-v3.sqlite")

    var migration = StoreMigration(
      source: folder.appendingPathComponent("UnCloudNotesDataModel-v3.sqlite"),
      destination: folder.appendingPathComponent("UnCloudNotesDataModel-v4.sqlite"),
      mapping: folder.appendingPathComponent("v3-to-v4.json"),
      policies: Self.policies
    )
    // The process of the tests holds more memory than a limit would allow for.
    migration.memoryLimit = .gibibytes(64)
    try await migration.run()
    guard case .store(let report) = try Inspection.inspect(migration.destination.path) else {
      Issue.record("the destination is not a store")
      return
    }
    #expect(
      report.entities.map { [$0.name: $0.rows] }
        == [["Attachment": 0], ["ImageAttachment": 50], ["Note": 100]]
    )
  }
}

import BulkFixture
import BulkMigrate
import Foundation

/// An example in a folder of its own, with a synthetic store to migrate.
final class ExampleFolder {
  private let url: URL
  private let store: String
  private let mapping: String

  /// Copies an example, and makes its source store.
  ///
  /// - Parameters:
  ///   - name: The example's folder beside this package.
  ///   - store: The store, by the name that the mapping file uses.
  ///   - mapping: The mapping file.
  ///   - request: What the store holds.
  /// - Throws: An error if the example is not there, or its store cannot be made.
  init(
    _ name: String,
    store: String,
    mapping: String = "all.json",
    _ request: FixtureRequest
  ) throws {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    self.store = store
    self.mapping = mapping
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("bulkmigrate-example-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: examples.appendingPathComponent(name), to: url)
    let model = try ManagedObjectModel(contentsOf: path("Source.xcdatamodel"))
    _ = try Fixture(model, request).write(to: path(store))
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  private func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Does what the mapping file says.
  ///
  /// - Returns: The objects of every entity of the destination, without those of its subentities.
  func migrate(policies: [String: any EntityMigrationPolicy]) async throws -> [String: Int64] {
    var migration = StoreMigration(
      source: url.appendingPathComponent(store),
      destination: url.appendingPathComponent("Destination.sqlite"),
      mapping: url.appendingPathComponent(mapping),
      policies: policies
    )
    // The process of the tests holds more memory than a limit would allow for.
    migration.memoryLimit = .gibibytes(64)
    try await migration.run()
    guard case .store(let report) = try Inspection.inspect(migration.destination.path) else {
      return [:]
    }
    return Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.rows ?? 0) })
  }
}

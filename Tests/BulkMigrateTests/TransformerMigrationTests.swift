import BulkMigrate
import BulkTestSupport
import Testing

/// Transformers of an app that uses the library.
struct TransformerMigrationTests {
  /// A text of the bytes' numbers.
  private struct Numbers: AttributeTransformer {
    func value(of bytes: [UInt8]) throws -> AttributeValue {
      .string(bytes.map { String($0) }.joined(separator: ","))
    }

    func bytes(of value: AttributeValue) throws -> [UInt8] {
      guard case .string(let text) = value else { throw PolicyError("it is not a text") }
      return Array(text.utf8)
    }
  }

  private static let mapping = """
    { "bulkmigrate": "mapping/1",
      "source": { "model": "v1.mom" },
      "destination": { "model": "v2.mom" },
      "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "data": "$source.data" } } ] }
    """

  private static func model(_ type: AttributeType) throws -> ManagedObjectModel {
    var data = AttributeDescription.optional("data", type)
    if type == .transformable { data.valueTransformerName = "Bytes" }
    return try .of(EntityDescription("Note", [data]))
  }

  @Test func `an app converts values, and its verification finds what was not converted`()
    async throws
  {
    let folder = TemporaryDirectory()
    let before = try Self.model(.transformable)
    try TestStore.write(before, to: folder.path("v1.mom"))
    try TestStore.write(try Self.model(.string), to: folder.path("v2.mom"))
    try Files.write(Array(Self.mapping.utf8), to: folder.path("map.json"))
    _ = try TestStore(
      before,
      .each("Note", ["data": .binary([1, 22])], [:])
    )
    .write(to: folder.path("old.sqlite"))
    var migration = StoreMigration(
      source: URL(fileURLWithPath: folder.path("old.sqlite")),
      destination: URL(fileURLWithPath: folder.path("new.sqlite")),
      mapping: URL(fileURLWithPath: folder.path("map.json"))
    )
    migration.memoryLimit = .gibibytes(64)
    migration.transformers = ["App.Bytes": Numbers()]
    let plan = try await migration.plan()
    // An app without them cannot carry out the plan.
    var changed = migration
    changed.transformers = [:]
    let other = changed
    let failure = await #expect(throws: StoreMigrationError.self) { try await other.run(plan) }
    #expect(failure?.code == .policy)
    try await migration.run(plan)
    let made = StoreFile(folder.path("new.sqlite"), keeping: folder)
    #expect(try made.rows(of: "ZNOTE", "Z_PK", "ZDATA") == [[1, "1,22"], [2, nil]])
    let report = try await migration.verify(plan, level: .full)
    #expect(report.differences.isEmpty)
    #expect(report.rowsCompared == 2)
    try made.execute("UPDATE ZNOTE SET ZDATA = '1,23'")
    #expect(try await !migration.verify(plan, level: .full).differences.isEmpty)
  }
}

import BulkTestSupport
import BulkMigrate
import Testing

/// Whatever one thing is changed in a destination, a full verification finds it.
///
/// A row more, less or under another key; a value changed, or exchanged with another row's; a pair of a relationship, or its
/// position; an index, a table, a trigger; entity numbers, highest keys, metadata; the file of a large value.
struct MutationTests {
  private static let seeds = RandomSeeds.first(40)

  @Test func `every random mutation is found`() throws {
    let migrated = try MigratedNotes()
    var random = SeededGenerator(seed: 16 + Self.seeds.lowerBound)
    var kinds: Set<String> = []
    var missed: [String] = []
    var tried = 0
    while tried < Self.seeds.count {
      let copy = TemporaryDirectory()
      let store = StoreFile(copy.path("destination.sqlite"), keeping: copy)
      try FileManager.default.copyItem(atPath: migrated.destination.path, toPath: store.path)
      try FileManager.default.copyItem(
        atPath: URL(fileURLWithPath: migrated.destination.externalValues)
          .deletingLastPathComponent().path,
        toPath: URL(fileURLWithPath: store.externalValues).deletingLastPathComponent().path
      )
      let mutation = try StoreMutation.random(of: store, using: &random)
      // SQLite itself refuses some, such as a pair that is there already.
      guard (try? mutation.apply(to: store)) != nil else { continue }
      tried += 1
      kinds.insert(String(mutation.description.prefix { $0 != " " }))
      if try !isFound(migrated, in: store, copy) { missed.append("\(mutation)") }
    }
    #expect(missed == [])
    #expect(Self.seeds.count < 40 || kinds.count > 3, "\(kinds)")
  }

  /// Whether a verification finds a difference, or refuses the store.
  private func isFound(
    _ migrated: MigratedNotes,
    in store: StoreFile,
    _ folder: TemporaryDirectory
  ) throws -> Bool {
    var verification = migrated.verification(.full)
    verification.destination = store.path
    verification.scratchFolder = folder.path("expected")
    do {
      return try !verification.run().isVerified
    } catch let error as MigrationError {
      guard case .plan = error else { throw error }
      return true
    }
  }
}

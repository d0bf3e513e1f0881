import BulkTestSupport
import Testing

/// What a mapping holds counts as memory of the migration.
@Suite("Large mappings", .tags(.promise30))
struct LargeMappingTests {
  private static func planned(_ numbers: Int) throws -> Planned {
    let list = (0..<numbers).map(String.init).joined(separator: ", ")
    return try Planned(
      TestStore(
        .of(EntityDescription("Note", [.optional("rank", .integer32)])),
        .each("Note", ["rank": 3], ["rank": -3], [:])
      ),
      to: .of(EntityDescription("Note", [.optional("rank", .integer32)])),
      by: [.of("Note", "Note", where: "rank IN {\(list)}", ["rank": "$source.rank"])]
    )
  }

  @Test func `a large collection is refused under a limit that is too small for it`() throws {
    let planned = try Self.planned(30_000)
    var migration = Migration(planned.plan)
    migration.baseMemory = .mebibytes(20)
    migration.lossLimit = .all
    migration.memoryLimit = .mebibytes(50)
    let error = #expect(throws: MigrationError.self) { try migration.run() }
    guard case .limitTooSmall(_, let needed, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(needed == .mebibytes(57))
    migration.memoryLimit = .gibibytes(64)
    #expect(try migration.run().rows == 1)
  }

  @Test func `a small one needs no more than before`() throws {
    let small = try Self.planned(10).plan.smallestMemoryLimit(base: .mebibytes(20))
    #expect(small == .mebibytes(42))
  }
}

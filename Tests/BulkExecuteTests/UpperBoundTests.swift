import BulkTestSupport
import Testing

struct UpperBoundTests {
  /// Three notes, of which one has a title.
  private static func planned(_ filter: String?) throws -> Planned {
    try Planned(
      TestStore(
        try .of(EntityDescription("Note", [.optional("title")])),
        .each("Note", ["title": "a"], [:], [:])
      ),
      to: .of(EntityDescription("Note", [.optional("headline")])),
      by: [.of("Note", "Note", where: filter, ["headline": "$source.title"])]
    )
  }

  @Test(arguments: [("title != nil", true), (nil, nil)] as [(String?, Bool?)])
  func `a plan marks the numbers that a filter may lower`(filter: String?, mark: Bool?) throws {
    let plan = try Self.planned(filter).plan
    #expect(plan.passes.map(\.isUpperBound) == [mark])
    #expect(plan.passes.flatMap(\.entities).map(\.isUpperBound) == [mark])
    #expect(plan.passes.map(\.rows) == [3])
    #expect(plan.isUpperBound == (mark == true))
  }

  @Test func `rows of which there may be fewer are all there when they are made`() throws {
    let planned = try Self.planned("title != nil")
    var migration = Migration(inTestProcess: planned.plan)
    var seen: [MigrationProgress.Stage: Progress] = [:]
    migration.report = { seen[$0.stage] = Progress($0) }
    let outcome = try migration.run()
    #expect(outcome.destinationPath == planned.directory.path("destination.sqlite"))
    #expect(seen[.rows] == Progress(done: 1, total: 3, isUpperBound: true))
    #expect(seen[.publishing] == Progress(done: 1, total: 1, isUpperBound: false))
  }

  private struct Progress: Equatable {
    let done: Int64
    let total: Int64
    let isUpperBound: Bool

    init(done: Int64, total: Int64, isUpperBound: Bool) {
      self.done = done
      self.total = total
      self.isUpperBound = isUpperBound
    }

    init(_ progress: MigrationProgress) {
      done = progress.rowsDone
      total = progress.rowsTotal
      isUpperBound = progress.isUpperBound
    }
  }
}

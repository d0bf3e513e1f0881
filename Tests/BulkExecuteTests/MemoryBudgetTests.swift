import BulkTestSupport
import Testing

@Suite("The memory budget", .tags(.promise30))
struct MemoryBudgetTests {
  private let plan: MigrationPlan
  private let base = ByteCount.mebibytes(20)

  init() throws {
    let planned = try Planned(
      TestStore(
        .of(EntityDescription("Note", [.optional("title")])),
        TestObject("Note", 1, ["title": "a"])
      ),
      to: .of(EntityDescription("Note", [.optional("title"), .optional("stars", .integer16)]))
    )
    plan = planned.plan
  }

  @Test func `a limit below what is needed is refused with the smallest that will do`() throws {
    let smallest = plan.smallestMemoryLimit(base: base)
    let below = smallest - ByteCount(bytes: 1)
    let error = #expect(throws: MigrationError.self) {
      try MemoryBudget(limit: below, base: base, for: plan)
    }
    guard case .limitTooSmall(let limit, let needed, nil)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(limit == below)
    #expect(needed == smallest)
    #expect(throws: Never.self) { try MemoryBudget(limit: smallest, base: base, for: plan) }
  }

  @Test(arguments: [44, 64, 256, 1024, 65_536] as [Int64])
  func `what is granted and what is held already fit the limit`(mebibytes: Int64) throws {
    let limit = max(.mebibytes(mebibytes), plan.smallestMemoryLimit(base: base))
    let budget = try MemoryBudget(limit: limit, base: base, for: plan)
    let granted = MemoryUse.allCases.reduce(0) { $0 + budget.share(of: $1) }
    #expect(base.bytes + granted <= limit.bytes)
  }

  @Test func `more memory is not given to caches than makes them faster`() throws {
    let budget = try MemoryBudget(limit: .gibibytes(64), base: base, for: plan)
    #expect(budget.share(of: .destinationCache) == 16 << 20)
    #expect(budget.share(of: .sourceCache) == 16 << 20)
    // Two threads sort, each with as much as the cache.
    #expect(budget.share(of: .sorter) == 32 << 20)
    #expect(budget.caches.destination == 16 << 10)
  }

  @Test func `a use that the plan does not have gets nothing`() throws {
    let budget = try MemoryBudget(limit: .gibibytes(64), base: base, for: plan)
    #expect(budget.share(of: .temporaryTables) == 0)
  }

  @Test func `the limit that is stated is a whole number of MiB`() {
    let stated = plan.smallestMemoryLimit(base: ByteCount(bytes: 20_000_001))
    #expect(stated.bytes.isMultiple(of: 1 << 20))
    #expect(stated == plan.smallestMemoryLimit(base: ByteCount(bytes: 20_100_000)))
  }
}

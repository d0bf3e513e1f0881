import BulkExecute
import Testing

@testable import BulkFleet

struct StoreSelectionTests {
  @Test func `canaries are of every version and of all sizes`() throws {
    let many = ListedFleet.stores((0..<90).map { Int64($0) })
    let few = ListedFleet.stores([5], version: "v2") + ListedFleet.stores([7, 8], version: "v3")
    let fleet = try ListedFleet(many + few)
    let selection = try StoreSelection(fleet.list, .all, canary: .share(0.1))
    #expect(selection.count == 93)
    let canaries = try fleet.ids(selection.canaries)
    #expect(canaries.count == 10)
    #expect(canaries.contains("v2-0"))
    #expect(canaries.contains { $0.hasPrefix("v3") })
    // The largest of v1, and others far from it.
    #expect(canaries.contains("v1-89"))
    #expect(canaries.contains { $0.hasPrefix("v1-") && $0.dropFirst(3).count == 1 })
    #expect(selection.others.count == 83)
    #expect(Set(selection.canaries).isDisjoint(with: selection.others))
  }

  @Test func `a store that cannot be migrated is not a canary`() throws {
    var stores = ListedFleet.stores([9, 8, 7])
    stores[0].fault = "it is not an SQLite database"
    let fleet = try ListedFleet(stores)
    let one = try StoreSelection(fleet.list, .all, canary: .count(1))
    #expect(try fleet.ids(one.canaries) == ["v1-1"])
    let all = try StoreSelection(fleet.list, .all, canary: .count(3))
    #expect(try fleet.ids(all.canaries).sorted() == ["v1-1", "v1-2"])
    #expect(try fleet.ids(all.others) == ["v1-0"])
  }

  @Test func `a part has every n-th bin`() throws {
    let stores = (1...7).flatMap { ListedFleet.stores([1], version: "b\($0)", bin: $0) }
    let fleet = try ListedFleet(stores)
    let selection = try StoreSelection(fleet.list, .bins(number: 2, of: 3), canary: nil)
    #expect(try fleet.ids(selection.others) == ["b2-0", "b5-0"])
  }

  @Test(arguments: [(Int.min, Int64(1)), (0, 1), (1, .min), (1, -1), (1, .max)])
  func `a list with numbers that no store has is refused`(bin: Int, bytes: Int64) throws {
    let fleet = try ListedFleet(ListedFleet.stores([bytes], bin: bin))
    #expect(throws: FleetError.self) {
      try StoreSelection(fleet.list, .bins(number: 1, of: 2), canary: .count(1))
    }
  }

  @Test(arguments: [
    (FleetLimit.share(0.05), 5, true), (.share(0.05), 6, false), (.share(0), 0, true),
    (.share(0), 1, false), (.share(1), 100, true), (.count(3), 3, true), (.count(3), 4, false),
  ])
  func `a limit of a hundred stores allows so many`(limit: FleetLimit, failures: Int, allowed: Bool)
  {
    #expect(limit.allows(failures, of: 100) == allowed)
  }

  // MARK: Order

  private static let megabyte: Int64 = 1_000_000

  private func result(_ version: String, _ seconds: Double) -> StoreResult {
    let store = ListedFleet.stores([Self.megabyte], version: version)[0]
    let job = StoreJob(store: store, attempt: 1, verifies: false)
    var result = StoreResult(job, of: ListedFleet.plan)
    result.finish(as: .done)
    result.record.wallSeconds = seconds
    return result
  }

  private func order(_ stores: [FleetStore], _ costs: MeasuredCosts) throws -> [String] {
    let fleet = try ListedFleet(stores)
    let selection = try StoreSelection(fleet.list, .all, canary: nil)
    var queue = StoreQueue(
      try fleet.list,
      selection.others,
      ofVersions: selection.versions,
      verifies: false
    )
    var ids: [String] = []
    while let store = try queue.next(costs)?.store { ids.append(store.id) }
    #expect(queue.isEmpty)
    return ids
  }

  @Test func `stores come in the order of the list until some are done`() throws {
    let stores =
      ListedFleet.stores([9, 7, 7, 1].map { $0 * Self.megabyte })
      + ListedFleet.stores([1, 1].map { $0 * Self.megabyte }, version: "v2")
    #expect(
      try order(stores, MeasuredCosts()) == ["v1-0", "v1-1", "v1-2", "v1-3", "v2-0", "v2-1"]
    )
  }

  @Test func `stores of a version that takes long come before larger ones`() throws {
    var costs = MeasuredCosts()
    // 1 MB is planned with 0.1 s: v2 takes six times as long, and v1 half.
    costs.take(result("v1", 0.05))
    costs.take(result("v2", 0.6))
    var again = result("v1", 9)
    again.finish(as: .already)
    costs.take(again)
    let stores =
      ListedFleet.stores([19, 9, 7].map { $0 * Self.megabyte })
      + ListedFleet.stores([1, 0].map { $0 * Self.megabyte }, version: "v2")
    // Seconds: 0.5, 0.25, 0.2; 0.6, 0.3.
    #expect(try order(stores, costs) == ["v2-0", "v1-0", "v2-1", "v1-1", "v1-2"])
    // A version that was not measured is foreseen by all: 0.65 of 0.2.
    #expect(abs(costs.seconds(0.1, of: "v3") - 0.325) < 0.000_001)
  }
}

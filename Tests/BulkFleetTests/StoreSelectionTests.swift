import Testing

@testable import BulkFleet

@Suite("Selections of stores")
struct StoreSelectionTests {
  @Test func `canaries are of every version and of all sizes`() throws {
    let many = ListedFleet.stores((0..<90).map { Int64($0) })
    let few = ListedFleet.stores([5], version: "v2") + ListedFleet.stores([7, 8], version: "v3")
    let fleet = try ListedFleet(many + few)
    let selection = try StoreSelection(fleet.list, .all, canary: .share(0.1), wave: nil)
    #expect(selection.count == 93)
    let canaries = try fleet.ids(selection.waves[0])
    #expect(canaries.count == 10)
    #expect(canaries.contains("v2-0"))
    #expect(canaries.contains { $0.hasPrefix("v3") })
    // The largest of v1, and others far from it.
    #expect(canaries.contains("v1-89"))
    #expect(canaries.contains { $0.hasPrefix("v1-") && $0.dropFirst(3).count == 1 })
    #expect(selection.waves.count == 2)
    #expect(selection.waves[1].count == 83)
    #expect(Set(selection.waves[0]).isDisjoint(with: selection.waves[1]))
  }

  @Test func `a store that cannot be migrated is no canary`() throws {
    var stores = ListedFleet.stores([9, 8, 7])
    stores[0].fault = "it is not an SQLite database"
    let fleet = try ListedFleet(stores)
    let one = try StoreSelection(fleet.list, .all, canary: .count(1), wave: nil)
    #expect(try fleet.ids(one.waves[0]) == ["v1-1"])
    let all = try StoreSelection(fleet.list, .all, canary: .count(3), wave: nil)
    #expect(try fleet.ids(all.waves[0]).sorted() == ["v1-1", "v1-2"])
    #expect(try fleet.ids(all.waves[1]) == ["v1-0"])
  }

  @Test func `waves have so many stores, and the last one the rest`() throws {
    let fleet = try ListedFleet(ListedFleet.stores(Array(repeating: 1, count: 10)))
    let selection = try StoreSelection(fleet.list, .all, canary: nil, wave: .count(4))
    #expect(selection.waves.map(\.count) == [4, 4, 2])
    #expect(!selection.hasCanaries)
  }

  @Test func `a part has every n-th bin`() throws {
    let stores = (1...7).flatMap { ListedFleet.stores([1], version: "b\($0)", bin: $0) }
    let fleet = try ListedFleet(stores)
    let selection = try StoreSelection(
      fleet.list,
      .bins(number: 2, of: 3),
      canary: nil,
      wave: nil
    )
    #expect(try fleet.ids(selection.waves[0]) == ["b2-0", "b5-0"])
  }

  @Test func `nothing is no wave`() throws {
    let selection = try StoreSelection(
      try ListedFleet([]).list,
      .all,
      canary: .count(3),
      wave: nil
    )
    #expect(selection.waves == [])
  }

  @Test(arguments: [
    (FleetLimit.share(0.05), 5, true), (.share(0.05), 6, false), (.share(0), 0, true),
    (.share(0), 1, false), (.share(1), 100, true), (.count(3), 3, true), (.count(3), 4, false),
  ])
  func `a limit of a hundred stores allows so many`(limit: FleetLimit, failures: Int, allowed: Bool)
  {
    #expect(limit.allows(failures, of: 100) == allowed)
  }
}

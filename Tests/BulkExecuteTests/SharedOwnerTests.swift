import BulkTestSupport
import Synchronization
import Testing

/// What is asked of all children of a parent to which many rows lead is computed once.
@Suite("Values of the objects of a shared owner", .tags(.promise31))
struct SharedOwnerTests {
  /// A parent with many children, one with two, and a child without a parent.
  private static func store(_ children: Int64) throws -> TestStore {
    var store = TestStore(
      try .of(
        .init("Parent", [.optional("name")], [.toMany("children", "Child.parent")]),
        .init("Child", [.optional("rank", .integer32)], [.toOne("parent", "Parent.children")])
      )
    )
    let many = Array(1...children)
    let two = [children + 1, children + 2]
    store.objects =
      [
        TestObject("Parent", 1, links: ["children": many]),
        TestObject("Parent", 2, links: ["children": two]),
      ]
      + (many + two + [two[1] + 1]).map {
        TestObject("Child", $0, ["rank": .integer($0 % 10)])
      }
    return store
  }

  /// The values of the first child and of the last three, and how often the run was asked whether to stop,
  /// which SQLite does for every 250,000 steps.
  private static func results(
    _ expression: String,
    children: Int64
  ) throws -> (values: [StoredValue], questions: Int) {
    let planned = try Planned(
      store(children),
      to: .of(EntityDescription("Child", [.optional("result", .integer64)])),
      by: [.of("Child", "Child", ["result": expression])]
    )
    let questions = Atomic(0)
    var migration = Migration(inTestProcess: planned.plan)
    migration.stopRequest = {
      questions.add(1, ordering: .relaxed)
      return nil
    }
    _ = try migration.run()
    let values = try planned.made.rows(
      "SELECT ZRESULT FROM ZCHILD WHERE Z_PK = 1 OR Z_PK > \(children) ORDER BY Z_PK"
    )
    return (values.map { $0[0] }, questions.load(ordering: .relaxed))
  }

  @Test(
    arguments: [
      ("$source.parent.children.@count", [4_000, 2, 2, 0]),
      ("$source.parent.children.@max.rank", [9, 2, 2, nil]),
      ("$source.parent.children.@min.rank", [0, 1, 1, nil]),
      ("$source.parent.children.@sum.rank", [18_000, 3, 3, nil]),
      ("TERNARY($source.parent.children.@avg.rank > 2, 1, 0)", [1, 0, 0, 0]),
      ("SUBQUERY($source.parent.children, $c, $c.rank > 4).@count", [2_000, 0, 0, 0]),
      ("SUBQUERY($source.parent.children, $c, $c.rank > 4).@sum.rank", [14_000, 0, 0, nil]),
      ("TERNARY(ANY $source.parent.children.rank > 8, 1, 0)", [1, 0, 0, 0]),
      ("TERNARY(ALL $source.parent.children.rank < 9, 1, 0)", [0, 1, 1, 1]),
    ] as [(String, [StoredValue])]
  )
  func `it is computed once, not for each child`(
    expression: String,
    expected: [StoredValue]
  ) throws {
    let (values, questions) = try Self.results(expression, children: 4_000)
    #expect(values == expected)
    #expect(questions < 150)
  }

  @Test func `what also asks the row is computed for each`() throws {
    let expression = "SUBQUERY($source.parent.children, $c, $c.rank > $source.rank).@count"
    #expect(try Self.results(expression, children: 60).values == [48, 1, 0, 0])
  }
}

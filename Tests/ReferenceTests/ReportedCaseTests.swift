import Testing

/// Relationships that went wrong once, each in its smallest form.
@Suite("Reported cases of relationships")
struct ReportedCaseTests {
  private static let item = ModelSketch(
    EntitySketch(
      "Item",
      .toOne("next", "Item", inverse: "prev"),
      .toMany("prev", "Item", inverse: "next")
    ),
    EntitySketch("Special", under: "Item")
  )

  @Test(arguments: [MigrationPath.sql])
  func `a mapping that is named gives no objects of another`(path: MigrationPath) throws {
    let scenario = Scenario(
      Self.item,
      [
        ObjectSketch("Item", 1, n: 1, ["next": 2]),
        ObjectSketch("Item", 2, n: 1),
        ObjectSketch("Special", 3, n: 1, ["next": 4]),
        ObjectSketch("Special", 4, n: 1),
      ],
      StepSketch(
        to: Self.item,
        MappingSketch(
          "ItemToItem",
          from: "Item",
          to: "Item",
          where: .above(0),
          .set("next", .made(by: "SpecialToSpecial", "next"))
        ),
        MappingSketch(
          "SpecialToSpecial",
          from: "Special",
          to: "Special",
          where: .above(0),
          .set("next", .made(by: "SpecialToSpecial", "next"))
        )
      )
    )
    #expect(try Trial.verdict(on: scenario, by: path).differences == [])
  }
}

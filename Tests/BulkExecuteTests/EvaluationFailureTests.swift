import BulkTestSupport
import Testing

struct EvaluationFailureTests {
  @Test func `every row that fails is told once, and nothing is published`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Reading", [.optional("count", .integer64), .optional("text")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Reading", [.optional("count", .integer16), .optional("amount", .double)])
    )
    let planned = try Planned(
      TestStore(
        source,
        TestObject("Reading", 1, ["count": 5, "text": "1.5"]),
        TestObject("Reading", 2, ["count": 70_000, "text": "x"]),
        TestObject("Reading", 3, ["count": -40_000])
      ),
      to: destination,
      by: [
        .of(
          "Reading",
          "Reading",
          ["count": "$source.count", "amount": "CAST($source.text, 'NSNumber')"]
        )
      ]
    )
    let text = failure(of: planned)
    #expect(
      text == """
        3 values cannot be computed; no destination was made:
          ReadingToReading.count: its expression fails for 2 objects
            key 2, from Reading 2: 70000 does not fit into count, which is Integer 16
            key 3, from Reading 3: -40000 does not fit into count, which is Integer 16
          ReadingToReading.amount: its expression fails for 1 object
            key 2, from Reading 2: "x" cannot be cast to NSNumber
        all are listed in DIR/destination.sqlite.bulkmigrate/violations.jsonl
        """
    )
    #expect(!planned.isMade)
  }

  @Test func `rows of several pages are told once each`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Reading", [.optional("count", .integer64)])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Reading", [.optional("count", .integer64), .optional("new")])
    )
    var store = TestStore(source)
    store.sql = [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
      INSERT INTO ZREADING SELECT i, 1, 1, CASE i % 2 WHEN 0 THEN 9223372036854775807 ELSE i END FROM n
      """
    ]
    let planned = try Planned(
      store,
      to: destination,
      by: [.of("Reading", "Reading", ["count": "$source.count * 2"])]
    )
    let text = failure(of: planned)
    #expect(text.hasPrefix("650 values cannot be computed"))
  }
}

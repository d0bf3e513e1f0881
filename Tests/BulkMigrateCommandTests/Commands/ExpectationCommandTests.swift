import BulkTestSupport
import Testing

struct ExpectationCommandTests {
  private let program: Program

  /// Notes 1, 2 and 4, of which 4 has no title.
  init() throws { program = try Program(.call) }

  private func migrate(expecting expectations: String) throws {
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "expect": [\(expectations)], "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
      """,
      to: "all.json"
    )
    try program(Program.plan + ["--mapping", "all.json"], ending: 0)
    try #require(try program("run", "-q").status == 0)
  }

  @Test func `what is not so ends with 4, and is a failure for JUnit`() throws {
    try migrate(
      expecting: #"""
        { "entity": "Note", "holds": "title != nil" },
        { "name": "a < \"b\" & c", "entity": "Note", "count": { "least": 1 } }
        """#
    )
    let verified = try program("verify", ending: 4)
    #expect(
      verified.output == """
        not ok  Note holds title != nil: 1 object does not hold: key 4
        ok      a < "b" & c
        New.sqlite: quick, nothing differs, 1 of 2 expectations met

        """
    )
  }

  @Test func `what another store of the configuration has is skipped, and said so`() throws {
    for (name, attribute) in [("b1", "a"), ("b2", "b")] {
      try TestStore.write(
        ManagedObjectModel(
          entities: [.init("Note", [.optional("title")]), .init("Remote", [.optional(attribute)])],
          configurations: ["Disk": ["Note"], "Cloud": ["Remote"]]
        ),
        to: program.directory.path("\(name).mom")
      )
    }
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "expect": [
          { "entity": "Note", "count": 3 }, { "entity": "Remote", "count": 1 } ],
        "entityMappings": [
          { "source": "Note", "destination": "Note", "attributes": { "title": "uppercase($source.title)" } },
          { "source": "Remote", "destination": "Remote", "attributes": { "b": "$source.a" } } ] }
      """,
      to: "all.json"
    )
    let plan = try program(
      [
        "plan", "--source", "Notes.sqlite", "--source-model", "b1.mom", "--destination",
        "New.sqlite",
        "--destination-model", "b2.mom", "--configuration", "Disk", "--mapping", "all.json",
      ]
    )
    try #require(plan.status == 0, "\(plan.errors)")
    try #require(try program("run", "-q").status == 0)
    let verified = try program("verify", ending: 0)
    #expect(
      verified.output == """
        ok      Note
        skipped Remote: objects of Remote are in another store of the configuration
        New.sqlite: quick, nothing differs, 1 of 1 expectation met, 1 skipped

        """
    )
  }
}

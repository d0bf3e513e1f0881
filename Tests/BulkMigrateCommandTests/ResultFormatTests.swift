import BulkFleet
import BulkTestSupport
import Testing

@testable import BulkMigrateCommand

/// Every document that a command prints is described by a schema of its version.
struct ResultFormatTests {
  @Test(arguments: ResultFormat.allCases)
  func `a format has a schema of its version`(format: ResultFormat) throws {
    let schema = try JSONSchema(of: String(format.kind))
    let version = try #require(schema.part("properties", "bulkmigrate"))
    #expect(version["const"] as? String == format.rawValue)
  }

  @Test func `the schema of a record names what it has`() throws {
    let members = try #require(JSONSchema(of: "record").part("$defs", "record", "properties"))
    #expect(
      members.keys.sorted()
        == (MigrationRecord.members + StoreResult.members + ["bulkmigrate"]).sorted()
    )
  }

  @Test func `a command that takes --json says what it prints, and no format is left over`() {
    var used: Set<ResultFormat> = []
    for command in CommandLineTool.table.descriptions {
      used.formUnion(command.results)
      #expect(command.options.contains { $0.name == "json" } == !command.results.isEmpty)
    }
    #expect(Set(ResultFormat.allCases).subtracting(used) == [])
  }

  @Test func `the commands that print no documents are these`() {
    let silent = CommandLineTool.table.descriptions.filter(\.results.isEmpty).map(\.name)
    #expect(silent == ["mapping", "fleet", "completion"])
  }
}

import BulkTestSupport
import Testing

/// Columns of attributes with letters outside ASCII, whose capitals depend on who made them.
struct ColumnFormTests {
  private static func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.optional("größe")] + more))
  }

  /// A new column, one of a program in a locale of its own, and one that this program made before.
  @Test(arguments: ["ZGRößE", "ZGRÖßE", "ZGRÖSSE"], [true, false])
  func `a column is read and kept in the form that it has (formats/store.md 3.3)`(
    column: String,
    isMapped: Bool
  ) throws {
    var store = TestStore(try Self.model(), TestObject("Note", 1, ["größe": "x"]))
    if column != "ZGRößE" {
      store.sql = [#"ALTER TABLE ZNOTE RENAME COLUMN "ZGRößE" TO "\#(column)""#]
    }
    let model = try Self.model(.optional("höhe"))
    let made =
      isMapped
      ? try migrate(store, to: model, by: .of("Note", "Note", ["größe": "$source.größe"]))
      : try migrate(store, to: model)
    #expect(
      try made.destination.columns(of: "ZNOTE")
        == ["Z_PK", "Z_ENT", "Z_OPT", .text(column), "ZHöHE"]
    )
    #expect(try made.destination.rows(of: "ZNOTE") == [[1, 1, 1, "x", nil]])
  }
}

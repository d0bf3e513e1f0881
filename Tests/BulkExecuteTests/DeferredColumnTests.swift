import BulkTestSupport
import Testing

/// Columns that Core Data's deferred migration left in a store (formats/migration.md 4.4).
struct DeferredColumnTests {
  private static let column = "_DEFERRED_0B61C1D5-4D0C-4C9E-9E57-3D8E5B7E9A10__ZBODY"

  private static func store() throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note", [.optional("title")])),
      TestObject("Note", 1, ["title": "x"])
    )
    store.sql = [
      "ALTER TABLE ZNOTE ADD COLUMN \"\(column)\" VARCHAR",
      "UPDATE ZNOTE SET \"\(column)\" = 'kept'",
    ]
    return store
  }

  @Test func `they are kept with their values, and called what they are`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title"), .optional("stars", .integer16)])
    )
    let migrated = try migrate(Self.store(), to: model)
    #expect(migrated.plan.losses == [])
    #expect(migrated.plan.carried.columnTitles == ["deferred column ZNOTE.\(Self.column)"])
    #expect(
      try migrated.destination.rows("SELECT \"\(Self.column)\" FROM ZNOTE") == [["kept"]]
    )
  }

  @Test func `those that go are counted, with the reason`() throws {
    let planned = try Planned(
      Self.store(),
      to: .of(EntityDescription("Note", [.optional("title")])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    )
    #expect(
      planned.plan.lossLines == [
        "1 unmanaged value of ZNOTE.\(Self.column): Core Data's deferred migration removed it, and "
          + "the table is removed or rebuilt, or needs the name"
      ]
    )
    #expect(planned.plan.carried.leftBehind == ["deferred column ZNOTE.\(Self.column)"])
  }

  @Test(
    arguments: [
      "_DEFERRED_0b61c1d54d0c4c9e9e573d8e5b7e9a10__Z3_OWNER": true, "_DEFERRED_": false,
      "_DEFERRED_0B61C1D5__": false, "_DEFERRED_other": false, "ZBODY": false,
    ]
  )
  func `they are known by their names`(name: String, isDeferred: Bool) {
    #expect(FileTable.Column(name: name, declaredType: "BLOB").isDeferred == isDeferred)
  }
}

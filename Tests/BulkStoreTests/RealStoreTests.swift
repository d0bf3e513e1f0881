import BulkTestSupport
import Testing

@Suite("Real stores", .enabled(if: SharedData.isPresent, "the real stores are not there"))
struct RealStoreTests {
  /// What no rule predicts, by store.
  ///
  /// Photos: the order of two order keys of one owner is that of a hash table (formats/store.md 4.5).
  /// Apptentive: the join table of this store of version 479 has no second index.
  private static let knownDeviations = [
    "photos/Photos-10.16.0.sqlite": ["order of columns of ZCLOUDSHAREDCOMMENT"],
    "apptentive/ATDataModelv4.sqlite": ["no index Z_5DISPLAYTYPES_Z_2DISPLAYTYPES_INDEX"],
  ]

  @Test(arguments: RandomSeeds.some(of: RealStores.all, every: 3))
  func `the schema of a store is predicted by its model`(path: String) throws {
    let (store, layout) = try opened(path)
    let deviations = SchemaComparison(store, layout.schema).deviations
    #expect(deviations == Self.knownDeviations[path, default: []])
  }

  @Test(arguments: RealStores.pairs)
  func `the schema of a store is predicted by the source of its model`(
    pair: RealStores.Pair
  ) throws {
    let store = try RealStores.open(pair.store)
    let model = try ManagedObjectModel(contentsOf: SharedData.path(pair.model))
    let layout = try store.layout(for: model)
    #expect(SchemaComparison(store, layout.schema).deviations == [])
  }

  @Test(arguments: RandomSeeds.some(of: RealStores.all, every: 3))
  func `the numbers of the entities are those of the store`(path: String) throws {
    let (store, layout) = try opened(path)
    let entities = layout.schema.numbering.entities
    let predicted = entities.map { entity in
      let number = layout.schema.numbering.number(of: entity.name)
      let above = entity.superentityName.map { layout.schema.numbering.number(of: $0) } ?? 0
      return "\(number) \(layout.staleNames[number] ?? entity.name) \(above)"
    }
    let found = try store.primaryKeys().filter { $0.number < 16_000 }
    #expect(predicted == found.map { "\($0.number) \($0.name) \($0.superentity)" })
    // The model alone names join tables and their columns (formats/store.md 6.5).
    let names = { (schema: StoreSchema) in
      schema.joinTables.map { [$0.name, $0.ownerColumn, $0.memberColumn] }
    }
    #expect(names(StoreSchema(layout.schema.model)) == names(layout.schema))
    guard !path.hasPrefix("photos/") else { return }
    // The model explains everything in the store.
    #expect(layout.unmanagedTables == [])
    #expect(layout.unmanagedColumns == [:])
    #expect(layout.unmanagedObjects == [])
    let isRenamed = path == "core-data-plus/SampleModel_V2.sqlite"
    #expect(layout.staleNames == (isRenamed ? [3: "ExpensiveSportCar"] : [:]))
  }

  private func opened(_ path: String) throws -> (PersistentStore, StoreLayout) {
    let store = try RealStores.open(path)
    return (store, try store.layout(for: try RealStores.model(of: store, path)))
  }

  @Test func `the application's own objects in a Photos library are left unmanaged`() throws {
    let store = try RealStores.open("photos/Photos-10.16.0.sqlite")
    let model = try #require(try store.cachedModel())
    let layout = try store.layout(for: model)
    #expect(layout.unmanagedTables == [])
    #expect(layout.unmanagedColumns == [:])
    let objects = layout.unmanagedObjects
    #expect(
      objects.filter { $0.kind == .index }.map(\.name)
        == ["RADAR_22158684_INDEX", "RADAR_10322662_INDEX"]
    )
    #expect(objects.filter { $0.kind == .virtualTable } == [])
    #expect(objects.filter { $0.kind == .trigger }.allSatisfy { $0.name.hasPrefix("ZT_Z") })
  }

  // formats/store.md 7.12
  @Test func `the R-tree of a Photos library is predicted by its model, word for word`() throws {
    let store = try RealStores.open("photos/Photos-10.16.0.sqlite")
    let layout = try store.layout(for: try #require(try store.cachedModel()))
    #expect(layout.rTrees.map(\.name) == ["Z_RT_Asset_boundedByRect"])
    let written = store.schema.objects.filter { $0.name.hasPrefix("Z_RT_") }.map(\.sql)
    let predicted: [String] = layout.rTrees.flatMap { tree in
      [tree.statements[0]] + tree.triggers.map(\.sql)
    }
    #expect(predicted == written)
    #expect(written.count == 4)
  }

  @Test(arguments: RandomSeeds.some(of: RealStores.all, every: 3))
  func `the rows of every entity are those that SQLite counts in a copy`(path: String) throws {
    let directory = TemporaryDirectory()
    let copy = directory.path("copy.sqlite")
    try SharedData.copy(path, to: copy)
    let plain = try Connection(path: copy, access: .readWrite)
    let (store, layout) = try opened(path)
    for table in layout.schema.entityTables {
      let numbers = layout.schema.entityNumbers(in: table)
      let rows = try store.rowsByEntity(in: table.name, expecting: numbers)
      #expect(Set(rows.keys).isSubset(of: Set(numbers.map(Optional.some))))
      for number in numbers {
        let sql = "SELECT count(*) FROM \(table.name) WHERE Z_ENT = \(number)"
        #expect(try plain.value(sql) == .integer(rows[number] ?? 0), "\(table.name) \(number)")
      }
      let all = try plain.value("SELECT count(*) FROM \(table.name)")
      #expect(try all == .integer(store.rows(in: table.name)))
      #expect(all == .integer(rows.values.reduce(0, +)))
    }
    for table in layout.schema.joinTables {
      let all = try plain.value("SELECT count(*) FROM \(table.name)")
      #expect(try all == .integer(store.rows(in: table.name)))
    }
  }

  // The numbers are those that the sqlite3 program counts in copies of file and log; without the log
  // it counts none.
  @Test(
    arguments: [
      ("surf-journal/SurfJournalModel.sqlite", "ZJOURNALENTRY", 5000),
      ("bookmarks/Bookmarks_V3.sqlite", "ZBOOKMARKENTITY", 10),
      ("wibosco/CoreDataMigration_Example_WAL.sqlite", "ZPOST", 84),
    ]
  )
  func `rows that lie in the log alone are counted`(
    path: String,
    table: String,
    rows: Int64
  ) throws {
    #expect(try RealStores.open(path).rows(in: table) == rows)
  }
}

import BulkTestSupport
import Testing

/// The stores under `../shared/data`, and how they differ from what their models predict.
enum RealStores {
  static let all = SharedData.stores

  /// A store and the source of the model that wrote it.
  struct Pair: Sendable, CustomTestStringConvertible {
    let store: String
    let model: String

    var testDescription: String { store }
  }

  /// The stores of `oracle-pairs.tsv` whose model is known, each once.
  static let pairs: [Pair] = {
    let text = try? String(contentsOfFile: SharedData.path("oracle-pairs.tsv"), encoding: .utf8)
    let rows = (text ?? "").split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
    let named = rows.flatMap { [($0[0], $0[2]), ($0[1], $0[3])] }.filter { $0.1 != "-" }
    let byStore = Dictionary(named, uniquingKeysWith: { first, _ in first })
    return byStore.sorted { $0.key < $1.key }
      .map { Pair(store: String($0.key), model: String($0.value)) }
  }()

  /// The models of stores of old frameworks, which keep none.
  private static let modelPaths = [
    "apptentive/ATDataModelv4.sqlite":
      "mappings/017/ATDataModel.xcdatamodeld/ATDataModel 4.xcdatamodel",
    "apptentive/ATDataModelv5.sqlite":
      "mappings/017/ATDataModel.xcdatamodeld/ATDataModel 5.xcdatamodel",
    "book-migration/Model1.sqlite": "book-migration/Model.xcdatamodeld/Model1.xcdatamodel",
    "surf-journal/SurfJournalModel.sqlite": "surf-journal/SurfJournalModel.xcdatamodeld",
  ]

  /// The model that wrote a store: the one it keeps, else the one that lies beside it.
  static func model(of store: PersistentStore, _ path: String) throws -> ManagedObjectModel {
    if let model = try store.cachedModel() { return model }
    return try ManagedObjectModel(contentsOf: SharedData.path(modelPaths[path] ?? ""))
  }

  static func open(_ path: String) throws -> PersistentStore {
    try PersistentStore(path: SharedData.path(path))
  }
}

/// The differences between a store file and the schema that its model predicts, as section 0 of the
/// description of the store format compares them.
struct SchemaComparison {
  private let store: PersistentStore
  private let schema: StoreSchema

  init(_ store: PersistentStore, _ schema: StoreSchema) {
    self.store = store
    self.schema = schema
  }

  /// What is not as predicted: tables by exact text, or by their columns where a later ALTER shows in
  /// the text; indexes by exact text, or but for quotes.
  var deviations: [String] {
    let tables =
      schema.entityTables.map { ($0.name, SchemaSQL.create($0)) }
      + schema.joinTables.map { ($0.name, SchemaSQL.create($0)) }
    return tables.compactMap { deviation(ofTable: $0, expected: $1) }
      + schema.indexes.compactMap(deviation)
  }

  private func deviation(ofTable name: String, expected: String) -> String? {
    guard let found = store.schema.table(named: name) else { return "no table \(name)" }
    if found.sql == expected { return nil }
    let hasSameColumns = columns(found.sql) == columns(expected)
    if hasSameColumns && (isAltered(found.sql) || !found.uniqueConstraints.isEmpty) { return nil }
    return hasSameColumns
      ? "order of columns of \(name)" : "table \(name): \(found.sql) != \(expected)"
  }

  /// An index may be there under the name that an older version of Core Data gave it, or in the
  /// statement of its table.
  private func deviation(_ index: SchemaIndex) -> String? {
    if let found = store.schema.objects.first(where: { $0.name == index.name }) {
      return plain(found.sql) == plain(index.sql) ? nil : "index \(found.sql) != \(index.sql)"
    }
    let isInTable =
      store.schema.table(named: index.table)?.uniqueConstraints
      .contains(index.terms.map(\.column)) ?? false
    let isOld = store.schema.objects.contains { $0.signature == index.signature }
    return isOld || (index.isUnique && isInTable) ? nil : "no index \(index.name)"
  }

  /// Whether the text of a table is not as Core Data writes it at first.
  private func isAltered(_ sql: String) -> Bool {
    sql.contains("\"") || sql.contains(" , ") || !sql.hasSuffix(" )")
  }

  private func plain(_ sql: String) -> String { sql.replacing("\"", with: "") }

  private func columns(_ sql: String) -> Set<String> {
    let list = plain(sql).drop { $0 != "(" }.dropFirst()
    let names = String(list).replacing(/PRIMARY KEY \(.*|, CONSTRAINT .*/, with: "").split(
      separator: ","
    )
    return Set(names.map { $0.filter { $0 != " " && $0 != ")" } })
  }
}

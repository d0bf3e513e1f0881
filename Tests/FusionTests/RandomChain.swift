import BulkFixture
import BulkTestSupport

/// Versions of a model by chance, mapping models between them, and a store of the first.
struct RandomChain: CustomStringConvertible {
  private let seed: UInt64
  private let models: [ManagedObjectModel]
  private var mappings: [MappingModel?] = []
  private var changes: [String]

  /// The seed, and what changes from version to version.
  var description: String { "seed \(seed)\n" + changes.joined(separator: "\n") }

  /// A chain of inferred steps.
  init(seed: UInt64, versions: Int) throws {
    let generator = try ChainGenerator(seed: seed, versions: versions)
    self.seed = seed
    models = generator.models
    changes = generator.changes
  }

  /// A short chain of which some steps are inferred and others are by mapping models.
  init(mappedWithSeed seed: UInt64) throws {
    try self.init(seed: seed + 1000, versions: 3 + Int(seed % 3))
    var random = SeededGenerator(seed: seed)
    for (source, destination) in zip(models, models.dropFirst()) {
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        mappings.append(nil)
        continue
      }
      var draft = try MappingDraft(from: source, to: destination)
      for _ in 0..<Int.random(in: 0...4, using: &random) { draft.change(&random) }
      mappings.append(draft.mapping)
      changes.append("to v\(mappings.count): " + draft.changes.joined(separator: "; "))
    }
  }

  /// The chain with a store, which is damaged or unusual for some seeds.
  func chain(in directory: TemporaryDirectory) throws -> Chain {
    let model = models[0]
    var request = FixtureRequest()
    request.seed = seed
    for entity in model.entities where !entity.isAbstract { request.rows[entity.name] = 7 }
    for entity in model.entities {
      for attribute in entity.attributes where attribute.isOptional && !attribute.isTransient {
        request.nilRates["\(entity.name).\(attribute.name)"] = 0.3
      }
    }
    if seed % 4 == 1 { request.dirt = [.dangling: 0.2, .nulls: 0.1, .duplicates: 0.1] }
    let path = directory.path("store.sqlite")
    _ = try Fixture(model, request).write(to: path)
    let store = StoreFile(path, keeping: directory)
    if seed % 3 == 1 { try store.pretendToBeOld() }
    if seed % 5 == 1 { try store.addStrangers() }
    if seed % 7 == 1 { try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX / 2") }
    if seed % 3 == 2 { try store.damageEntityNumbers(of: model) }
    return try Chain(models, mappings, store: path, in: directory)
  }
}

extension StoreFile {
  /// Makes the store one of Core Data 866, which does some things otherwise.
  fileprivate func pretendToBeOld() throws {
    var metadata = try metadata()
    metadata.entries["NSPersistenceFrameworkVersion"] = .integer(866)
    try execute("UPDATE Z_METADATA SET Z_PLIST = x'\(metadata.propertyListBytes.hex)'")
  }

  /// Writes numbers beside keys that are those of no entities, and leaves some out.
  fileprivate func damageEntityNumbers(of model: ManagedObjectModel) throws {
    let schema = StoreSchema(model)
    for table in schema.entityTables {
      for column in table.columns {
        guard case .foreignEntity = column.role else { continue }
        try execute(
          """
          UPDATE \(table.name) SET \(column.name) = 99 WHERE Z_PK % 4 = 1;
          UPDATE \(table.name) SET \(column.name) = NULL WHERE Z_PK % 4 = 2;
          """
        )
      }
    }
  }

  /// Adds what no model explains: a column, tables, an index, a view, a trigger and a history.
  fileprivate func addStrangers() throws {
    let names = try rows(
      "SELECT upper(Z_NAME), Z_ENT FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 ORDER BY Z_ENT"
    )
    guard case .text(let name) = names.first?[0] else { return }
    try execute(
      """
      ALTER TABLE Z\(name) ADD COLUMN ZSTRANGE VARCHAR;
      UPDATE Z\(name) SET ZSTRANGE = 'strange ' || Z_PK;
      CREATE INDEX strangers ON Z\(name) (ZSTRANGE, Z_ENT);
      CREATE TABLE notes (text VARCHAR);
      INSERT INTO notes VALUES ('one'), ('two');
      CREATE VIEW seen AS SELECT text FROM notes;
      CREATE TRIGGER noted AFTER UPDATE ON notes BEGIN DELETE FROM notes; END;
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, \
      ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO ACHANGE SELECT i, 16001, i % 3, 1 + i * i % (SELECT count(*) + 1 FROM Z_PRIMARYKEY), i / 5, \
      substr(x'A5C396F00F5A3C69', 1 + i % 5, i % 4), 'one ' || i, 'two ' || i FROM n;
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP FLOAT);
      INSERT INTO ATRANSACTION SELECT DISTINCT ZTRANSACTIONID, 1.5 FROM ACHANGE;
      INSERT INTO Z_PRIMARYKEY VALUES (8, 'STRANGE', 0, 5), (16001, 'CHANGE', 0, 9);
      """
    )
  }
}

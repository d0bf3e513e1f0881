import BulkCoding
import BulkFixture
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Testing

/// Chains of versions by chance, done as one and one by one.
@Suite("Random chains, fused")
struct RandomChainTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A store of the first model of a chain, with all that follow.
  private func chain(
    _ generator: ChainGenerator,
    _ mappings: [MappingModel?] = [],
    seed: UInt64
  ) throws -> Chain {
    let model = generator.models[0]
    var request = FixtureRequest()
    request.seed = seed
    for entity in model.entities where !entity.isAbstract { request.rows[entity.name] = 7 }
    for entity in model.entities {
      for attribute in entity.attributes where attribute.isOptional && !attribute.isTransient {
        request.nilRates["\(entity.name).\(attribute.name)"] = 0.3
      }
    }
    if seed % 4 == 1 { request.dirt = Dirt([.dangling: 0.2, .nulls: 0.1, .duplicates: 0.1]) }
    let path = directory.path("store.sqlite")
    _ = try Fixture(model, request).write(to: path)
    let store = StoreFile(path, keeping: directory)
    if seed % 3 == 1 { try store.pretendToBeOld() }
    if seed % 5 == 1 { try store.addStrangers() }
    if seed % 7 == 1 { try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX / 2") }
    return try Chain(generator.models, mappings, store: path, in: directory)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `versions give as one what they give one by one`(seed: UInt64) throws {
    try compare(seed: seed, versions: 2 + Int(min(seed % 11, seed / 11 % 11)))
  }

  @Test func `sixty versions give as one what they give one by one`() throws {
    try compare(seed: 60, versions: 60)
  }

  private func compare(seed: UInt64, versions: Int) throws {
    let generator = try ChainGenerator(seed: seed, versions: versions)
    let text = Comment(rawValue: "seed \(seed)\n" + generator.changes.joined(separator: "\n"))
    try compare(try chain(generator, seed: seed), text)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `versions that mapping models lead to give as one what they give one by one`(
    seed: UInt64
  ) throws {
    let generator = try ChainGenerator(seed: seed + 1000, versions: 3 + Int(seed % 3))
    var random = SeededGenerator(seed: seed)
    var (mappings, changes): ([MappingModel?], [String]) = ([], [])
    for (source, destination) in zip(generator.models, generator.models.dropFirst()) {
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        mappings.append(nil)
        continue
      }
      var draft = try MappingDraft(from: source, to: destination)
      for _ in 0..<Int.random(in: 0...4, using: &random) { draft.change(&random) }
      mappings.append(draft.mapping)
      changes.append("to v\(mappings.count): " + draft.changes.joined(separator: "; "))
    }
    let text = "seed \(seed)\n" + (generator.changes + changes).joined(separator: "\n")
    try compare(try chain(generator, mappings, seed: seed), Comment(rawValue: text))
  }

  private func compare(_ chain: Chain, _ text: Comment) throws {
    let legs = (try? chain.legs()) ?? []
    let stepwise = Result { try chain.stepwise("stepwise") }
    let fused = Result { try chain.fused("fused") }
    switch (stepwise, fused) {
    case (.success(let one), .success(let other)):
      guard try one.bytes() != other.bytes() else { return }
      let differences = try other.contents().difference(from: one.contents())
      Issue.record("\(differences.map { "\($0)" }.prefix(8))\n\(text)\n\(legs.map(\.boundary))")
    case (.failure, .failure): break
    case (.failure(let error), .success):
      Issue.record("only step by step it fails: \(error)\n\(text)\n\(legs.map(\.boundary))")
    case (.success, .failure(let error)):
      Issue.record("only as one it fails: \(error)\n\(text)\n\(legs.map(\.boundary))")
    }
  }
}

extension StoreFile {
  /// Makes the store one of Core Data 866, which does some things otherwise.
  fileprivate func pretendToBeOld() throws {
    var metadata = try metadata()
    metadata.entries["NSPersistenceFrameworkVersion"] = .integer(866)
    try execute("UPDATE Z_METADATA SET Z_PLIST = x'\(metadata.propertyListBytes.hex)'")
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
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZENTITY INTEGER);
      INSERT INTO ACHANGE SELECT NULL, 16001, Z_ENT FROM Z_PRIMARYKEY;
      INSERT INTO Z_PRIMARYKEY VALUES (8, 'STRANGE', 0, 5), (16001, 'CHANGE', 0, 9);
      """
    )
  }
}

import BulkTestSupport
import Testing

/// The names of join tables and of their columns are those of a new store of the model, where Core Data looks for them.
///
/// Source of all names: formats/store.md 6.1 to 6.3 and 6.5 in a program of its own; 10.7 for the rule.
struct JoinTableNameTests {
  enum Way: CaseIterable {
    case rebuild, copy, inPlace, mapping
  }

  private let directory = TemporaryDirectory()

  /// Articles in bags and, if they have tags, in crates: both call their relationship articles.
  private static func model(attributes: Int = 0, hasTags: Bool = true) throws -> ManagedObjectModel
  {
    let tags = RelationshipDescription.toMany("tags", "Crate.articles")
    let articles = RelationshipDescription.toMany("articles", "Article.tags")
    return try .of(
      .init(
        "Article",
        [.optional("title")] + attributeList(attributes),
        [.toMany("groups", "Bag.articles")] + (hasTags ? [tags] : [])
      ),
      .init("Bag", [.optional("name")], [.toMany("articles", "Article.groups")]),
      .init("Crate", [.optional("name")], hasTags ? [articles] : [])
    )
  }

  private static func users(attributes: Int) throws -> ManagedObjectModel {
    try .of(
      .init(
        "User",
        attributeList(attributes),
        [.toMany("blocking", "User.blockedBy"), .toMany("blockedBy", "User.blocking")]
      )
    )
  }

  private static func attributeList(_ count: Int) -> [AttributeDescription] {
    (0..<count).map { .optional($0 < 10 ? "a0\($0)" : "a\($0)") }
  }

  private static func articles(_ model: ManagedObjectModel, tags: [Int64] = [2]) -> TestStore {
    let links: [String: [Int64]] = ["groups": [1, 3], "tags": tags].filter { !$0.value.isEmpty }
    return TestStore(
      model,
      TestObject("Article", 5, ["title": "x"], links: links),
      TestObject("Bag", 1),
      TestObject("Bag", 3),
      TestObject("Crate", 2)
    )
  }

  private func make(
    _ store: TestStore,
    to model: ManagedObjectModel,
    by way: Way
  ) throws -> StoreFile {
    let strategy: StoreStrategy.Kind? =
      switch way {
      case .rebuild: .rebuild
      case .copy: .copy
      default: nil
      }
    var mappings: [EntityMapping]?
    if way == .mapping {
      mappings = try model.entities.map { entity in
        let known = store.model.entity(named: entity.name)?.relationships ?? []
        return try .of(
          entity.name,
          entity.name,
          [:],
          Dictionary(
            uniqueKeysWithValues: known.map {
              let target = $0.destinationEntityName
              return ($0.name, instances("\(target)To\(target)", "$source.\($0.name)"))
            }
          )
        )
      }
    }
    var request = PlanRequest()
    request.strategy = strategy
    let planned = try Planned(store, to: model, by: mappings, request)
    guard way == .inPlace else { return try migrated(planned).destination }
    request.sourceModel = planned.directory.path("source.mom")
    request.destinationModel = planned.directory.path("destination.mom")
    _ = try AlteringMigration(of: planned.source.path, request, .inTestProcess).run()
    return StoreFile(planned.source.path, keeping: planned.directory)
  }

  private func columns(_ store: StoreFile) throws -> [[StoredValue]] {
    try store.rows(
      "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c "
        + "WHERE t.type = 'table' AND t.name GLOB 'Z_[0-9]*' ORDER BY t.name, c.name"
    )
  }

  @Test(arguments: Way.allCases)
  func `a second relationship may take a name from the first`(way: Way) throws {
    let store = Self.articles(try Self.model(hasTags: false), tags: [])
    let made = try make(store, to: Self.model(), by: way)
    #expect(
      try columns(made) == [
        ["Z_1GROUPS", "Z_1ARTICLES1"], ["Z_1GROUPS", "Z_2GROUPS"],
        ["Z_1TAGS", "Z_1ARTICLES"], ["Z_1TAGS", "Z_3TAGS"],
      ]
    )
    let keys =
      try made.rows("SELECT Z_PK FROM ZARTICLE")[0] + made.rows("SELECT min(Z_PK) FROM ZBAG")[0]
    #expect(try made.rows("SELECT min(Z_1ARTICLES1), min(Z_2GROUPS) FROM Z_1GROUPS") == [keys])
    #expect(try made.rows("SELECT count(*) FROM Z_1GROUPS") == [[2]])
  }

  /// The title and eleven other attributes make twelve: the thirteenth doubles a table of Core Data.
  @Test(arguments: Way.allCases)
  func `another attribute may swap the names`(way: Way) throws {
    let store = Self.articles(try Self.model(attributes: 11))
    let written = try columns(store.write(to: directory.path("before.sqlite")))
    let made = try make(store, to: Self.model(attributes: 12), by: way)
    #expect(
      written == [
        ["Z_1GROUPS", "Z_1ARTICLES1"], ["Z_1GROUPS", "Z_2GROUPS"],
        ["Z_1TAGS", "Z_1ARTICLES"], ["Z_1TAGS", "Z_3TAGS"],
      ]
    )
    #expect(
      try columns(made) == [
        ["Z_1GROUPS", "Z_1ARTICLES"], ["Z_1GROUPS", "Z_2GROUPS"],
        ["Z_1TAGS", "Z_1ARTICLES1"], ["Z_1TAGS", "Z_3TAGS"],
      ]
    )
    #expect(try made.rows("SELECT count(*) FROM Z_1TAGS JOIN ZCRATE ON Z_3TAGS = Z_PK") == [[1]])
    #expect(try made.rows("SELECT count(*) FROM Z_1GROUPS JOIN ZBAG ON Z_2GROUPS = Z_PK") == [[2]])
  }

  @Test(arguments: Way.allCases)
  func `another attribute may rename the table of a reflexive pair`(way: Way) throws {
    let store = TestStore(
      try Self.users(attributes: 12),
      TestObject("User", 1, links: ["blocking": [2, 3]]),
    )
    let written = try store.write(to: directory.path("before.sqlite"))
    #expect(
      try written.rows("SELECT Z_1BLOCKEDBY, Z_1BLOCKING FROM Z_1BLOCKING") == [[1, 2], [1, 3]]
    )
    let made = try make(store, to: Self.users(attributes: 13), by: way)
    #expect(
      try columns(made) == [["Z_1BLOCKEDBY", "Z_1BLOCKEDBY"], ["Z_1BLOCKEDBY", "Z_1BLOCKING"]]
    )
    #expect(
      try made.rows("SELECT Z_1BLOCKEDBY, Z_1BLOCKING FROM Z_1BLOCKEDBY ORDER BY 1, 2")
        == [[1, 2], [1, 3]]
    )
  }

  /// As earlier versions of this program left them.
  @Test(arguments: Way.allCases)
  func `a source with other names is read by what it has, and gets the model's`(way: Way) throws {
    var store = Self.articles(try Self.model())
    store.namingSides = [PropertyKey("Article", "groups")]
    #expect(
      try columns(store.write(to: directory.path("before.sqlite")))[0...1]
        == [["Z_1GROUPS", "Z_1ARTICLES"], ["Z_1GROUPS", "Z_2GROUPS"]]
    )
    let made = try make(store, to: Self.model(attributes: 1), by: way)
    #expect(
      try columns(made) == [
        ["Z_1GROUPS", "Z_1ARTICLES1"], ["Z_1GROUPS", "Z_2GROUPS"],
        ["Z_1TAGS", "Z_1ARTICLES"], ["Z_1TAGS", "Z_3TAGS"],
      ]
    )
    #expect(try made.rows("SELECT count(*) FROM Z_1TAGS JOIN ZCRATE ON Z_3TAGS = Z_PK") == [[1]])
  }

  // formats/store.md 6.6
  @Test(arguments: [641, 751] as [Int64], [Way.rebuild, .copy])
  func `names by the rules of an older framework go on`(framework: Int64, way: Way) throws {
    var store = Self.articles(try Self.model())
    store.namingSides = [PropertyKey("Article", "groups")]
    store.frameworkVersion = framework
    let made = try make(store, to: Self.model(attributes: 1), by: way)
    #expect(
      try columns(made) == [
        ["Z_1GROUPS", "Z_1ARTICLES"], ["Z_1GROUPS", "Z_2GROUPS"],
        ["Z_1TAGS", "Z_1ARTICLES1"], ["Z_1TAGS", "Z_3TAGS"],
      ]
    )
  }

  @Test func `a store of an older framework that has the model's names gets the model's`() throws {
    var store = Self.articles(try Self.model(attributes: 11))
    store.frameworkVersion = 641
    let made = try make(store, to: Self.model(attributes: 12), by: .rebuild)
    #expect(try columns(made)[0] == ["Z_1GROUPS", "Z_1ARTICLES"])
  }

  @Test func `a store says which of its names differ from the model's`() throws {
    var store = Self.articles(try Self.model())
    store.namingSides = [PropertyKey("Article", "groups")]
    let path = try store.write(to: directory.path("store.sqlite")).path
    let named = try Self.articles(store.model).write(to: directory.path("named.sqlite")).path
    try PersistentStore(path: named).checkDeclarations(by: store.model) { Issue.record("\($0)") }
    let reason =
      "the application's first fetch of it fails with \"no such column\", because Core Data takes the names from the "
      + "model alone"
    let expected = [
      "Article.groups, Z_1GROUPS: expected column Z_1ARTICLES1, found Z_1ARTICLES; \(reason)",
      "Article.tags, Z_1TAGS: expected column Z_1ARTICLES, found Z_1ARTICLES1; \(reason)",
    ]
    var found: [String] = []
    try PersistentStore(path: path).checkDeclarations(by: store.model) { found.append("\($0)") }
    #expect(found == expected)
    guard case .store(let report) = try Inspection.inspect(path) else {
      Issue.record("it is a store")
      return
    }
    #expect(report.misnamed == expected)
  }
}

import BulkTestSupport
import Testing

/// Books and users, which two mapping models migrate together.
@Suite(
  "Two mapping models of one pair of versions",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct BookMigrationTests {
  /// Makes the authors that the books of the first version name, each once.
  private struct Authors: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let book = try manager.evaluate(mapping, forSource: source)
      try manager.insert(book, forSource: source, in: mapping)
      if mapping.userInfo["modelVersion"] == .string("2"), let name = try source["authorName"] {
        _ = try manager.findOrInsert("Author", with: ["name": name])
      }
    }
  }

  private let directory = TemporaryDirectory()
  private let data = "book-migration"

  init() throws {
    try SharedData.copy("book-migration/Model1.sqlite", to: directory.path("Model1.sqlite"))
  }

  private func migrate(_ version: Int, by mappings: [String]) throws -> StoreFile {
    var request = PlanRequest()
    request.source = directory.path("Model\(version).sqlite")
    request.destination = directory.path("Model\(version + 1).sqlite")
    for (path, number) in [(\PlanRequest.sourceModel, version), (\.destinationModel, version + 1)] {
      request[keyPath: path] = SharedData.path(
        "\(data)/Model.xcdatamodeld/Model\(number).xcdatamodel"
      )
    }
    request.mappingFiles = mappings.map { SharedData.path("\(data)/\($0).xcmappingmodel") }
    let plan = try Planner.plan(request)
    if mappings.count > 1 {
      #expect(plan.passes.map(\.name) == mappings)
    }
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry(["MHWBookToBookPolicy": Authors()])
    _ = try migration.run()
    return StoreFile(plan.destination.store, keeping: directory)
  }

  @Test(arguments: [
    ["Model2_to_Model3", "Model2_to_Model3_User"], ["Model2_to_Model3_User", "Model2_to_Model3"],
  ])
  func `every book, every author and every user arrives`(mappings: [String]) throws {
    let before = try migrate(1, by: ["Model1_to_Model2"])
    let made = try migrate(2, by: mappings)
    #expect(
      try made.rows("SELECT Z_PK, ZTITLE FROM ZBOOK ORDER BY 1") == [
        [9, "The Trial"], [10, "Cosmos"], [11, "Metamorphosis"], [12, "Extinction"],
      ]
    )
    #expect(
      try made.rows("SELECT ZNAME FROM ZAUTHOR ORDER BY 1") == [
        ["Franz Kafka"], ["Thomas Bernhard"], ["Witold Gombrowicz"],
      ]
    )
    for rows in ["Z_PK, ZTITLE FROM ZBOOK", "Z_PK, ZUSERID FROM ZUSER", "Z_PK, ZNAME FROM ZAUTHOR"]
    {
      #expect(
        try made.rows("SELECT \(rows) ORDER BY 1") == before.rows("SELECT \(rows) ORDER BY 1")
      )
    }
    #expect(try made.rows("SELECT count(*) FROM ZUSER") == [[3]])
  }

  /// Either alone removes what the other one migrates.
  @Test func `one of them alone keeps books or users`() throws {
    _ = try migrate(1, by: ["Model1_to_Model2"])
    let books = try migrate(2, by: ["Model2_to_Model3"])
    #expect(
      try books.rows("SELECT (SELECT count(*) FROM ZBOOK), (SELECT count(*) FROM ZUSER)")
        == [[4, 0]]
    )
  }
}

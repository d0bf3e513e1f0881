import Testing

/// What an app and its developer see.
@Suite("The face of the house")
struct FaceTests {
  @Test func `an app gets these types of the lower layers by name, and no module as a whole`()
    throws
  {
    let exports = try #require(try Project.sources()["BulkMigrate/Exports.swift"])
    let lines = exports.split(separator: "\n").filter { $0.hasPrefix("@_exported") }
    #expect(
      lines.map { line in line.split(separator: " ").suffix(2).joined(separator: " ") } == [
        "struct BulkCoding.ByteCount", "struct BulkExecute.DestinationInstance",
        "enum BulkExecute.DiskFullAction", "protocol BulkExecute.EntityMigrationPolicy",
        "class BulkExecute.MigrationManager", "struct BulkExecute.MigrationOutcome",
        "struct BulkExecute.MigrationProgress", "struct BulkExecute.MigrationStatus",
        "struct BulkExecute.PassUse",
        "struct BulkExecute.PolicyError", "struct BulkExecute.RejectPolicy",
        "struct BulkExecute.RejectedObject", "struct BulkExecute.SourceInstance",
        "protocol BulkMapping.AttributeTransformer", "struct BulkMapping.EntityMapping",
        "struct BulkMapping.MappingModel", "struct BulkMapping.ObjectUniqueness",
        "struct BulkMapping.PropertyMapping", "struct BulkModel.AttributeDescription",
        "enum BulkModel.AttributeType", "enum BulkModel.AttributeValue",
        "struct BulkModel.EntityDescription", "struct BulkModel.ExpressionError",
        "struct BulkModel.FetchIndexDescription", "struct BulkModel.FetchRequestDescription",
        "struct BulkModel.FetchedPropertyDescription", "struct BulkModel.ManagedObjectModel",
        "enum BulkModel.ModelError", "struct BulkModel.ObjectID",
        "struct BulkModel.RelationshipDescription", "enum BulkModel.ValueExpression",
        "enum BulkModel.ValuePredicate", "enum BulkPlan.Inspection", "enum BulkPlan.LossLimit",
        "struct BulkPlan.MappingReport", "struct BulkPlan.MemoryShare", "enum BulkPlan.MemoryUse",
        "struct BulkPlan.MigrationPlan", "struct BulkPlan.MigrationRoute",
        "struct BulkPlan.ModelReport", "struct BulkPlan.PlannedMemory",
        "struct BulkPlan.StoreReport", "struct BulkVersions.ModelInput",
        "enum BulkVersions.PlanAllowance", "struct BulkVersions.StoreStrategy",
        "struct BulkStore.StoreDifference", "struct BulkVerify.ExpectationResult",
        "enum BulkVerify.VerificationLevel", "struct BulkVerify.VerificationReport",
        "struct BulkPreflight.PreflightFinding", "struct BulkPreflight.PreflightReport",
      ]
    )
  }

  @Test func `what an app does not get is not public in the layers below`() throws {
    let sources = try Project.sources()
    let exports = try #require(sources["BulkMigrate/Exports.swift"])
    let seen = Set(exports.matches(of: /public import \w+ (\w+\.\w+)/).map(\.output.1))
    let products: Set<Substring> = ["BulkMigrate", "BulkMigrateCommand", "BulkFixture"]
    var others: [Substring] = []
    for (file, text) in sources {
      let target = file.prefix { $0 != "/" }
      guard !products.contains(target) else { continue }
      for line in text.split(separator: "\n") {
        guard
          let found = line.prefixMatch(
            of: /public (?:final |indirect )?(?:class|enum|func|let|protocol|struct|var) (\w+)/
          )
        else { continue }
        others.append("\(target).\(found.output.1)")
      }
    }
    #expect(Set(others) == seen)
  }

  @Test func `only that file exports anything, and what stands for the system's libraries`() throws
  {
    let exporting = try Project.sources().filter { SwiftText($0.value).code.contains("@_exported") }
    #expect(
      exporting.keys.sorted() == [
        "BulkMigrate/Exports.swift", "BulkPlatform/Essentials.swift",
        "BulkPlatform/SystemLibrary.swift",
      ]
    )
  }

  @Test func `the README and the manual show an example as the tests compile it`() throws {
    let example = try Project.text("Tests/BulkMigrateTests/Readme/PeopleMigration.swift")
    for page in ["README.md", "Sources/BulkMigrate/BulkMigrate.docc/FromSwift.md"] {
      #expect(try Project.text(page).contains("```swift\n\(example)```\n"), "\(page)")
    }
  }

  @Test(arguments: ["BringUpToDate.swift", "SplitName.swift"])
  func `the manual shows an example as the tests compile it`(file: String) throws {
    let example = try Project.text("Tests/BulkMigrateTests/Readme/\(file)")
    let page = try Project.text("Sources/BulkMigrate/BulkMigrate.docc/FromSwift.md")
    #expect(page.contains("```swift\n\(example)```\n"))
  }

  @Test
  func `packages of Plans have folders of different names, by which SwiftPM tells them apart`()
    throws
  {
    #expect(
      try Project.packages(under: "Plans") == [
        "examples/example-policies", "uncloudnotes/notes-policies",
      ]
    )
  }
}

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
        "struct BulkCoding.ByteCount",
        "struct BulkExecute.DestinationInstance", "enum BulkExecute.DiskFullAction",
        "protocol BulkExecute.EntityMigrationPolicy", "class BulkExecute.MigrationManager",
        "struct BulkExecute.MigrationOutcome", "struct BulkExecute.MigrationProgress",
        "struct BulkExecute.PolicyError", "struct BulkExecute.RejectPolicy",
        "struct BulkExecute.RejectedObject",
        "struct BulkExecute.SourceInstance",
        "protocol BulkMapping.AttributeTransformer",
        "struct BulkMapping.EntityMapping", "struct BulkMapping.MappingModel",
        "struct BulkMapping.PropertyMapping",
        "struct BulkModel.AttributeDescription", "enum BulkModel.AttributeType",
        "enum BulkModel.AttributeValue", "struct BulkModel.EntityDescription",
        "struct BulkModel.ManagedObjectModel", "struct BulkModel.ObjectID",
        "struct BulkModel.RelationshipDescription", "enum BulkModel.ValueExpression",
        "enum BulkModel.ValuePredicate",
        "enum BulkPlan.Inspection", "enum BulkPlan.LossLimit", "struct BulkPlan.MappingReport",
        "struct BulkPlan.MemoryShare", "enum BulkPlan.MemoryUse", "struct BulkPlan.MigrationPlan",
        "struct BulkPlan.MigrationRoute", "struct BulkPlan.ModelReport",
        "struct BulkPlan.PlannedMemory", "struct BulkPlan.StoreReport",
        "struct BulkVersions.ModelInput", "struct BulkVersions.StoreStrategy",
        "struct BulkStore.StoreDifference", "enum BulkVerify.VerificationLevel",
        "struct BulkVerify.VerificationReport",
        "struct BulkPreflight.PreflightFinding", "struct BulkPreflight.PreflightReport",
      ]
    )
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

  @Test(arguments: ["PeopleMigration.swift", "SplitName.swift"])
  func `the README and the manual show an example as the tests compile it`(file: String) throws {
    let example = try Project.text("Tests/BulkMigrateTests/Readme/\(file)")
    for page in ["README.md", "Sources/BulkMigrate/BulkMigrate.docc/FromSwift.md"] {
      #expect(try Project.text(page).contains("```swift\n\(example)```\n"), "\(page)")
    }
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

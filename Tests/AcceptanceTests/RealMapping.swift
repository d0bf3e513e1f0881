import BulkTestSupport
import Testing

/// A real mapping model of Xcode, in `../shared`.
struct RealMapping: Sendable, CustomTestStringConvertible {
  /// The `.xcmappingmodel`, relative to the shared data.
  let path: String

  var testDescription: String { path }

  /// All of them, with or without a store beside.
  static let all: [RealMapping] =
    SharedData.files { $0.lastPathComponent == "xcmapping.xml" }.map { file in
      RealMapping(path: String(file.dropLast("/xcmapping.xml".count)))
    }

  /// The policies that it needs.
  var policies: Set<String> { Self.policies[path] ?? [] }

  /// The policies of all of them, read from the XML with another program; entity mappings to which no
  /// mapping model refers any more are left out.
  private static let policies: [String: Set<String>] = [
    "book-migration/Model1_to_Model2.xcmappingmodel": ["MHWBookToBookPolicy"],
    "book-migration/Model2_to_Model3.xcmappingmodel": ["MHWBookToBookPolicy"],
    "core-data-plus/V2toV3.xcmappingmodel": ["REPLACE_AT_RUNTIME.V2to3MakerPolicy"],
    "mappings/001/Mapping Model 1.xcmappingmodel": ["Calq.MigrationV0toV1"],
    "mappings/004/Mapping Model 3 to 4.xcmappingmodel": ["Calq.MigrationV3toV4"],
    "mappings/005/Mapping Model 3 to 4.xcmappingmodel": ["Calq.MigrationV3toV4"],
    "mappings/006/Mapping Model 3 to 4.xcmappingmodel": ["Calq.MigrationV3toV4"],
    "mappings/008/Model1_to_Model2.xcmappingmodel": ["MHWBookToBookPolicy"],
    "mappings/009/Model2_to_Model3.xcmappingmodel": ["MHWBookToBookPolicy"],
    "mappings/011/Migration2to3ModelMapping.xcmappingmodel": [
      "CoreDataMigration_Example.Post2ToPost3MigrationPolicy"
    ],
    "mappings/023/Model2_to_Model3.xcmappingmodel": ["MHWBookToBookPolicy"],
    "mappings/024/Model2_to_Model3.xcmappingmodel": ["MHWBookToBookPolicy", "MHWUserToUserPolicy"],
    "mappings/027/MWKCoreDataTestsV2ToV3.xcmappingmodel": ["EmployeeToEmployeePolicy"],
    "mappings/030/TestMigrationModel 4.xcmappingmodel": ["MockMigrationPolicy"],
    "uncloudnotes/UnCloudNotesMappingModel_v3_to_v4.xcmappingmodel": [
      "UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4"
    ],
  ]

  /// The file.
  func file() throws -> MappingFile { try MappingFile.read(SharedData.path(path)) }

  /// The copies of the models that the mapping was made for.
  func models() throws -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
    let file = try file()
    return (try file.copy(of: .source), try file.copy(of: .destination))
  }
}

import BulkMapping
import BulkTestSupport
import Foundation
import Testing

/// Where models lie: formats/mapping-models.md 5.
@Suite("Models that a mapping of Xcode recorded", .tags(.promise11)) struct RecordedModelTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(_ path: String, in place: String) throws -> MappingFile {
    let directory = try folder.folder(place + "/M.xcmappingmodel")
    let text = """
      <database><object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">\(path)</attribute></object></database>
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/xcmapping.xml"))
    return try MappingFile.read(directory)
  }

  private static let model = "App/M.xcdatamodeld/v1.xcdatamodel"
  private static let recorded = [
    "App/M.xcdatamodeld/v1.xcdatamodel", "Old/M.xcdatamodeld/v1.xcdatamodel",
    "M.xcdatamodeld/v1.xcdatamodel", "Users/somebody/App/M.xcdatamodeld/v1.xcdatamodel",
  ]

  @Test(arguments: recorded)
  func `a model is found in the folder of the mapping`(recorded: String) throws {
    _ = try folder.folder(Self.model)
    let found = try file(recorded, in: "App").recordedModelPath(of: .source)
    #expect(found == folder.path(Self.model))
  }

  @Test func `a model is found in the package of the mapping`() throws {
    let place = "App/M.xcmappingmodel/M.xcdatamodeld/v1.xcdatamodel"
    _ = try folder.folder(place)
    let found = try file(Self.model, in: "App").recordedModelPath(of: .source)
    #expect(found == folder.path(place))
  }

  @Test(arguments: recorded)
  func `a model in another folder is found only where that is named`(recorded: String) throws {
    _ = try folder.folder(Self.model)
    // Of another application, in a folder beside.
    _ = try folder.folder("Other/M.xcdatamodeld/v1.xcdatamodel")
    let file = try file(recorded, in: "App/Mappings")
    #expect(file.recordedModelPath(of: .source) == nil)
    for place in ["App", "App/M.xcdatamodeld"] {
      let found = file.recordedModelPath(of: .source, among: [folder.path(place)])
      #expect(found == folder.path(Self.model), "\(place)")
    }
  }

  @Test(arguments: ["../../etc", "", "/", "No.xcdatamodeld/v1.xcdatamodel", "a/../b"])
  func `a model that is not there is not found`(recorded: String) throws {
    let file = try file(recorded, in: "App")
    #expect(file.recordedModelPath(of: .source) == nil)
    #expect(file.recordedModelPath(of: .destination) == nil)
    #expect(!file.hasCopy(of: .source))
    #expect(throws: MappingError.self) { try file.copy(of: .source) }
  }
}

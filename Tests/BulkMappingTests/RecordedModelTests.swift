import BulkMapping
import BulkTestSupport
import Foundation
import Testing

/// Where models lie: mapping-model-format.md 4.
@Suite("Models that a mapping of Xcode recorded") struct RecordedModelTests {
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

  @Test(arguments: [
    ("App/M.xcdatamodeld/v1.xcdatamodel", "App/M.xcdatamodeld/v1.xcdatamodel"),
    ("Old/M.xcdatamodeld/v1.xcdatamodel", "App/M.xcdatamodeld/v1.xcdatamodel"),
    ("M.xcdatamodeld/v1.xcdatamodel", "App/M.xcdatamodeld/v1.xcdatamodel"),
    ("Users/somebody/App/M.xcdatamodeld/v1.xcdatamodel", "App/M.xcdatamodeld/v1.xcdatamodel"),
  ])
  func `a model is found from the mapping upwards`(recorded: String, place: String) throws {
    _ = try folder.folder(place)
    let found = try file(recorded, in: "App/Mappings").recordedModelPath(of: .source)
    #expect(found?.hasSuffix("/" + place) == true)
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

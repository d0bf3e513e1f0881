internal import Foundation

/// What a mapping file of Xcode says, source or compiled.
struct XcodeMapping: Sendable {
  /// A model as the mapping has it.
  struct RecordedModel: Hashable, Sendable {
    /// Where the model lay when the mapping was made.
    var path: String?
    /// A copy of the model, archived.
    var copy: [UInt8]?
  }

  /// The entity mappings, in their order.
  var drafts: [EntityMappingDraft] = []
  var source = RecordedModel()
  var destination = RecordedModel()
  var faults: [DraftFault] = []
  /// What is ignored although it is there, a sentence each.
  var warnings: [String] = []

  /// That there is more than a mapping may describe, if there is.
  var limitFault: DraftFault? {
    let count = drafts.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard
      drafts.count > MappingLimits.entityMappings || count > MappingLimits.propertyMappings
    else { return nil }
    return DraftFault(
      .none,
      "",
      "it has more than \(MappingLimits.entityMappings) entity mappings or "
        + "\(MappingLimits.propertyMappings) property mappings"
    )
  }
}

extension XcodeMapping {
  /// The one file that counts of an `.xcmappingmodel`.
  private static let sourceName = "xcmapping.xml"

  /// Whether a path names a mapping of Xcode, by its extension.
  static func isXcodePath(_ path: String) -> Bool {
    let url = URL(filePath: path)
    return ["xcmappingmodel", "cdm"].contains(url.pathExtension.lowercased())
      || url.lastPathComponent == sourceName
  }

  /// Reads a mapping of Xcode; what it contradicts is among its faults.
  static func read(_ path: String) throws(MappingError) -> XcodeMapping {
    let url = URL(filePath: path)
    if url.pathExtension.lowercased() == "cdm" {
      return CompiledMappingReader.mapping(in: try MappingBytes.read(url.path))
    }
    let isFolder = url.pathExtension.lowercased() == "xcmappingmodel"
    let file = isFolder ? url.appending(path: sourceName) : url
    return XcodeMappingReader.mapping(in: try MappingBytes.read(file.path))
  }
}

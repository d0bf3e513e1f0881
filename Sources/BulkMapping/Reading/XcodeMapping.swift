internal import BulkPlatform

/// The content of an Xcode mapping file, source or compiled.
struct XcodeMapping: Sendable {
  /// A model as recorded in the mapping.
  struct RecordedModel: Hashable, Sendable {
    /// The path of the model when the mapping was made.
    var path: String?
    /// A copy of the model, as an archive.
    var copy: [UInt8]?
  }

  /// The entity mappings, in order.
  var drafts: [EntityMappingDraft] = []
  var source = RecordedModel()
  var destination = RecordedModel()
  var faults: [DraftFault] = []
  /// Warnings about ignored content, a sentence each.
  var warnings: [String] = []

  /// The error that the mapping exceeds the limits; `nil` if it does not.
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
  /// The only relevant file in an `.xcmappingmodel`.
  private static let sourceName = "xcmapping.xml"

  /// Whether a path refers to an Xcode mapping, by its extension.
  static func isXcodePath(_ path: String) -> Bool {
    let url = URL(filePath: path)
    return ["xcmappingmodel", "cdm"].contains(url.pathExtension.lowercased())
      || url.lastPathComponent == sourceName
  }

  /// Reads an Xcode mapping; errors in its content are in `faults`.
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

internal import Foundation

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

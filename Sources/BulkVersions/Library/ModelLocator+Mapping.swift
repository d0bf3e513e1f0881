package import BulkMapping
internal import BulkModel
internal import Foundation

extension ModelLocator {
  /// The model that a mapping was made for: where Xcode recorded it, or the copy in the mapping.
  ///
  /// - Returns: The model; `nil` where the mapping knows none.
  package static func model(
    of side: MappingFile.Side,
    in file: MappingFile
  ) throws(PlanError) -> LocatedModel? {
    if let path = file.recordedModelPath(of: side) { return try inFile(path) }
    guard let path = file.xcodePath, file.hasCopy(of: side) else { return nil }
    return try copy(of: side, in: file, path: path)
  }

  /// Whether a path names a mapping of Xcode, which holds copies of its models.
  package static func isMapping(_ path: String) -> Bool {
    URL(fileURLWithPath: path).pathExtension.lowercased() == "xcmappingmodel"
      || path.hasSuffix("/xcmapping.xml")
  }

  package static func copy(
    of side: MappingFile.Side,
    in file: MappingFile,
    path: String
  ) throws(PlanError) -> LocatedModel {
    do throws(MappingError) {
      return LocatedModel(try file.copy(of: side), path: path, isInStore: false)
    } catch {
      throw .mapping(error)
    }
  }
}

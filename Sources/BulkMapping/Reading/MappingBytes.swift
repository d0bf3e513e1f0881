internal import BulkPlatform

/// Reads the bytes of mapping files.
enum MappingBytes {
  /// The size limit of a mapping file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 128 * 1024 * 1024

  /// The bytes of a file.
  static func read(_ path: String) throws(MappingError) -> [UInt8] {
    do {
      let resolved = URL(filePath: path).resolvingSymlinksInPath().path
      let attributes = try FileManager.default.attributesOfItem(atPath: resolved)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw MappingError.unreadable(path: path, reason: "it is not a file")
      }
      guard let size = attributes[.size] as? UInt64, size <= sizeLimit else {
        throw MappingError.unreadable(
          path: path,
          reason: "it is larger than \(sizeLimit) bytes, as no mapping is"
        )
      }
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch let error as MappingError {
      throw error
    } catch {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw .unreadable(path: path, reason: isThere ? "\(error)" : "there is no such file")
    }
  }
}

internal import BulkPlatform

/// Reads the bytes of mapping files.
enum MappingBytes {
  /// The size limit of a mapping file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 128 * 1024 * 1024

  /// The bytes of a file.
  static func read(_ path: String) throws(MappingError) -> [UInt8] {
    do throws(FileReading.Fault) {
      return try FileReading.bytes(ofFile: path, atMost: sizeLimit)
    } catch {
      throw .unreadable(path: path, reason: error.reason(limit: sizeLimit, kind: "mapping"))
    }
  }
}

internal import BulkCoding

/// The model that a store keeps of itself, in the one row of its table `Z_MODELCACHE`.
///
/// `Z_CONTENT` is a raw DEFLATE stream of the archive that a `.mom` would hold; decoded in 352 stores
/// (version-hash.md).
package enum ModelCache {
  /// The largest archive that is unpacked.
  private static let sizeLimit = 256 * 1024 * 1024

  /// What errors call the cache.
  private static let name = "Z_MODELCACHE"

  /// Reads the model from the bytes of the table.
  ///
  /// - Throws: ``ModelError`` for bytes that do not unpack to a sound model.
  package static func model(from bytes: [UInt8]) throws(ModelError) -> ManagedObjectModel {
    let archive: [UInt8]
    do throws(CodingError) {
      archive = try RawDeflate.inflate(bytes, limit: sizeLimit)
    } catch {
      throw .notAModel(path: name, reason: "\(error)")
    }
    return try ManagedObjectModel.model(archive: archive, path: name)
  }

  /// The bytes that a store's table holds for a model.
  package static func bytes(of model: ManagedObjectModel) -> [UInt8] {
    RawDeflate.deflate(CompiledModelWriter.archive(of: model))
  }
}

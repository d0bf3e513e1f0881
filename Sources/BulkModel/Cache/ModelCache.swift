internal import BulkCoding

/// The copy of its model that a store keeps in the single row of its table `Z_MODELCACHE`.
///
/// `Z_CONTENT` is a raw DEFLATE stream of the archive that a `.mom` would hold; verified on 352 stores
/// (version-hash.md).
package enum ModelCache {
  /// The size limit of an unpacked archive, in bytes.
  private static let sizeLimit = 256 * 1024 * 1024

  /// The name of the cache in error messages.
  private static let name = "Z_MODELCACHE"

  /// Reads the model from the bytes of the table.
  ///
  /// - Throws: ``ModelError`` for bytes that do not unpack to a valid model.
  package static func model(from bytes: [UInt8]) throws(ModelError) -> ManagedObjectModel {
    let archive: [UInt8]
    do throws(CodingError) {
      archive = try RawDeflate.inflate(bytes, limit: sizeLimit)
    } catch {
      throw .notAModel(path: name, reason: "\(error)")
    }
    return try ManagedObjectModel.model(archive: archive, path: name)
  }

  /// The content of a store's table for a model.
  package static func bytes(of model: ManagedObjectModel) -> [UInt8] {
    RawDeflate.deflate(CompiledModelWriter.archive(of: model))
  }
}

internal import BulkCoding
internal import Synchronization

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

/// The content of the table for one model, made when it is first needed: many stores of one version share it.
package final class SharedModelCache: Sendable {
  private let model: ManagedObjectModel
  private let made = Mutex<[UInt8]?>(nil)

  package init(of model: ManagedObjectModel) { self.model = model }

  package var bytes: [UInt8] {
    made.withLock { made in
      if let made { return made }
      let bytes = ModelCache.bytes(of: model)
      made = bytes
      return bytes
    }
  }
}

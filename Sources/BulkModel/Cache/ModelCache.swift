internal import BulkSupport
internal import Synchronization

/// The copy of its model that a store keeps in the single row of its table `Z_MODELCACHE`.
///
/// `Z_CONTENT` is a raw DEFLATE stream of the archive that a `.mom` would hold; verified on 352 stores
/// (formats/models.md 5.2).
package enum ModelCache {
  private static let sizeLimit = 256 * 1024 * 1024

  private static let name = "Z_MODELCACHE"

  package static func model(from bytes: [UInt8]) throws(ModelError) -> ManagedObjectModel {
    let archive: [UInt8]
    do throws(CodingError) {
      archive = try RawDeflate.inflate(bytes, limit: sizeLimit)
    } catch {
      throw .notAModel(path: name, reason: "\(error)")
    }
    return try ManagedObjectModel.model(archive: archive, path: name)
  }

  package static func bytes(of model: ManagedObjectModel) -> [UInt8] {
    RawDeflate.deflate(CompiledModelWriter.archive(of: model))
  }
}

/// The bytes and hashes that all stores of a model share, made when they are first needed.
package final class SharedModelCache: Sendable {
  private let model: ManagedObjectModel
  private let made = Mutex<[UInt8]?>(nil)
  private let hashes = Mutex<[String: VersionHash]?>(nil)

  package init(of model: ManagedObjectModel) { self.model = model }

  package var bytes: [UInt8] { Self.kept(made) { ModelCache.bytes(of: model) } }

  package var versionHashes: [String: VersionHash] {
    Self.kept(hashes) { model.entityVersionHashesByName }
  }

  private static func kept<T: Sendable>(_ slot: borrowing Mutex<T?>, _ make: () -> T) -> T {
    slot.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      return made
    }
  }
}

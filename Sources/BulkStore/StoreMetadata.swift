package import BulkSupport
package import BulkModel

/// The metadata of a store, from `Z_METADATA`.
package struct StoreMetadata: Hashable, Sendable {
  /// The store's identifier, which is part of every object's URI.
  package var uuid: String
  package var entries: [String: PropertyList]

  package init(uuid: String, entries: [String: PropertyList]) {
    self.uuid = uuid
    self.entries = entries
  }

  /// The names of Core Data's own entries; keys of applications begin differently.
  private enum Key {
    static let hashes = "NSStoreModelVersionHashes"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let identifiers = "NSStoreModelVersionIdentifiers"
    static let digest = "NSStoreModelVersionHashesDigest"
    static let checksum = "NSStoreModelVersionChecksumKey"
    static let framework = "NSPersistenceFrameworkVersion"
    /// Not Core Data's, which keeps it.
    static let applied = "BulkMigrateMappings"
  }

  /// The version hashes of the entities, by name; entries that are not hashes are left out.
  package var versionHashes: [String: VersionHash] {
    (entries[Key.hashes]?.dictionary ?? [:]).compactMapValues { $0.data.flatMap(VersionHash.init) }
  }

  package var versionIdentifiers: [String] {
    (entries[Key.identifiers]?.array ?? []).compactMap(\.string)
  }

  /// The digests of the mappings that were applied to the store since it has its version: those between equal hashes, which
  /// do not show whether they were.
  package var appliedMappings: [String] {
    get { (entries[Key.applied]?.array ?? []).compactMap(\.string) }
    set {
      entries[Key.applied] = newValue.isEmpty ? nil : .array(newValue.map(PropertyList.string))
    }
  }

  /// The version of Core Data that last wrote the store; 0 if it is not stated.
  package var frameworkVersion: Int64 { entries[Key.framework]?.integer ?? 0 }

  package var applicationEntries: [String: PropertyList] {
    entries.filter { !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_NS") }
  }

  package static func fresh(
    for model: ManagedObjectModel,
    uuid: String,
    frameworkVersion: Int64
  ) -> StoreMetadata {
    let entries: [String: PropertyList] = [
      "NSStoreType": .string("SQLite"),
      "_NSAutoVacuumLevel": .string("2"),
      Key.framework: .integer(frameworkVersion),
      Key.checksum: .string(""),
    ]
    return StoreMetadata(uuid: uuid, entries: entries)
      .migrated(to: model, hashes: model.entityVersionHashesByName)
  }

  /// The metadata of the same store after its migration to another model.
  ///
  /// Entries that follow from the model are replaced; all others are kept: the store's identifier,
  /// the application's entries and the version of Core Data, whose rules the migration follows.
  ///
  /// The version hashes are by name of entity.
  package func migrated(
    to model: ManagedObjectModel,
    hashes: [String: VersionHash]
  ) -> StoreMetadata {
    var result = self
    result.entries[Key.hashes] = .dictionary(hashes.mapValues { .data($0.bytes) })
    result.entries[Key.hashesVersion] = .integer(3)
    result.entries[Key.identifiers] = .array(model.versionIdentifiers.map(PropertyList.string))
    result.entries[Key.digest] = .string(VersionHash.digest(of: hashes))
    if entries[Key.checksum] != nil {
      result.entries[Key.checksum] = .string(VersionHash.checksum(of: hashes))
    }
    return result
  }

  /// The key by which the metadata of a store ask Core Data to fetch all zones again (formats/migration.md 6.4).
  package static let zoneFetchKey = "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey"

  /// The metadata by which the next start fetches all zones of CloudKit again.
  package var fetchingZones: StoreMetadata {
    var result = self
    result.entries[Self.zoneFetchKey] = .dictionary([:])
    return result
  }

  package var propertyListBytes: [UInt8] {
    BinaryPropertyListWriter.write(.dictionary(entries))
  }
}

extension PropertyList {
  /// The value as people read it; bytes are counted.
  package var text: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .date(let seconds): "\(Date(timeIntervalSinceReferenceDate: seconds))"
    case .data(let bytes): "\(bytes.count) bytes"
    case .string(let text): text
    case .uid(let number): "object \(number)"
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .dictionary(let entries):
      "{\(entries.sorted { $0.key < $1.key }.map { "\($0): \($1.text)" }.joined(separator: ", "))}"
    case .null: "null"
    }
  }
}

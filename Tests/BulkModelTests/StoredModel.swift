import BulkTestSupport

/// What a real store says of its model.
struct StoredModel {
  /// The model that the store keeps of itself, still packed.
  let cache: [UInt8]?
  let hashes: [String: VersionHash]
  let digest: String?
  let checksum: String?

  init(store: String) throws {
    let connection = try Connection(path: SharedData.path(store), access: .source)
    let list = try PropertyList(Self.blob("SELECT Z_PLIST FROM Z_METADATA", connection) ?? [])
    let metadata = list.dictionary ?? [:]
    hashes = (metadata["NSStoreModelVersionHashes"]?.dictionary ?? [:])
      .compactMapValues { $0.data.flatMap(VersionHash.init) }
    digest = metadata["NSStoreModelVersionHashesDigest"]?.string
    checksum = metadata["NSStoreModelVersionChecksumKey"]?.string
    let tables = "SELECT count(*) FROM sqlite_master WHERE name = 'Z_MODELCACHE'"
    guard try connection.value(tables) == .integer(1) else {
      cache = nil
      return
    }
    cache = try Self.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", connection)
  }

  private static func blob(_ sql: String, _ connection: Connection) throws -> [UInt8]? {
    guard case .blob(let bytes) = try connection.value(sql) else { return nil }
    return bytes
  }
}

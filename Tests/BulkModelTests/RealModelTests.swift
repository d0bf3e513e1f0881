import BulkTestSupport
import Testing

/// Every model and store under `../shared/data`, which Core Data and Xcode made.
@Suite(
  "Real models",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct RealModelTests {
  /// Not those under `found`, small cases that no Xcode wrote.
  static let sources = SharedData.files {
    $0.lastPathComponent == "contents" && !$0.path.contains("/found/")
  }
  static let compiled = SharedData.files { $0.pathExtension == "mom" }
  static let packages = SharedData.files { ["momd", "xcdatamodeld"].contains($0.pathExtension) }

  private static func model(_ path: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: SharedData.path(path))
  }

  @Test func `the data holds sources, compiled models, packages and stores`() {
    #expect(Self.sources.count == 108)
    #expect(Self.compiled.count == 5)
    #expect(Self.packages.count >= 20)
    #expect(SharedData.stores.count == 65)
  }

  @Test(arguments: RandomSeeds.some(of: sources + compiled, every: 3))
  func `a model is read, and written and read to an equal one`(path: String) throws {
    let model = try Self.model(path)
    #expect(!model.entities.isEmpty)
    let archive = CompiledModelWriter.archive(of: model)
    let read = try ManagedObjectModel.model(archive: archive, path: "archive")
    #expect(read == model)
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test(arguments: packages)
  func `a package lists its versions, and each can be read`(path: String) throws {
    let package = try ModelPackage(contentsOf: SharedData.path(path))
    for version in package.versions {
      let hashes = try version.model().entityVersionHashesByName
      if let recorded = version.recordedHashes { #expect(hashes == recorded) }
      if let checksum = version.recordedChecksum {
        #expect(VersionHash.checksum(of: hashes) == checksum)
      }
    }
  }

  @Test func `the hashes and checksums of VersionInfo.plist are those that are computed`() throws {
    let package = try ModelPackage(contentsOf: SharedData.path("core-data-plus/SampleModel.momd"))
    #expect(package.versions.map(\.name) == ["SampleModel", "SampleModel2", "SampleModel3"])
    #expect(try package.currentVersion().name == "SampleModel")
    #expect(package.versions.map { $0.recordedHashes?.count } == [4, 4, 5])
  }

  @Test(arguments: RandomSeeds.some(of: SharedData.stores, every: 3))
  func `the model in a store's cache has the hashes of the store`(store: String) throws {
    let stored = try StoredModel(store: store)
    #expect(!stored.hashes.isEmpty)
    guard let cache = stored.cache else { return }
    let model = try ModelCache.model(from: cache)
    let hashes = model.entityVersionHashesByName
    #expect(hashes == stored.hashes)
    #expect(ModelCompatibility(storeHashes: stored.hashes, model: model).differences == [])
    if let digest = stored.digest { #expect(VersionHash.digest(of: hashes) == digest) }
    if let checksum = stored.checksum { #expect(VersionHash.checksum(of: hashes) == checksum) }
    let written = try ModelCache.model(from: ModelCache.bytes(of: model))
    #expect(written == model)
  }

  @Test func `the copies of models in mapping models are read and mostly equal the models`() throws
  {
    var known: Set<[String: VersionHash]> = []
    for path in Self.sources { known.insert(try Self.model(path).entityVersionHashesByName) }
    var (all, equal) = (0, 0)
    for path in SharedData.files(where: { $0.lastPathComponent == "xcmapping.xml" }) {
      for archive in try MappingModelArchives.read(path, { $0.hasSuffix("modeldata") }) {
        let model = try ManagedObjectModel.model(archive: archive, path: path)
        all += 1
        if known.contains(model.entityVersionHashesByName) { equal += 1 }
      }
    }
    #expect(all == 78)
    // The other five models were edited, or are not here, after the copy was made.
    #expect(equal == 73)
  }

  @Test func `the archives of all models have the bytes that they always had`() throws {
    func digest(_ models: [ManagedObjectModel]) -> String {
      let digests = models.map { SHA256.digest(CompiledModelWriter.archive(of: $0)) }
      let lines = digests.map(VersionHash.hexadecimal).sorted().joined(separator: "\n")
      return VersionHash.hexadecimal(SHA256.digest(Array(lines.utf8)))
    }
    #expect(
      try digest(Self.sources.map(Self.model))
        == "ad4d40558af48bfca34c318829253035d29314e094f7d0886a8a7bb7fe70a674"
    )
    #expect(
      try digest(Self.compiled.map(Self.model))
        == "5aaf4e14aa01af748c7060dc1a3a266dd48b869a6ba773c5edfc901814836046"
    )
    let caches = try SharedData.stores.compactMap { try StoredModel(store: $0).cache }
    #expect(
      try digest(caches.map(ModelCache.model))
        == "1397e96798eb458641dabd0dd8e1555a725150cf0b30f53066ef20e9985d9feb"
    )
    let copies = try SharedData.files { $0.lastPathComponent == "xcmapping.xml" }
      .flatMap { try MappingModelArchives.read($0, { $0.hasSuffix("modeldata") }) }
    #expect(
      try digest(copies.map { try ManagedObjectModel.model(archive: $0, path: "copy") })
        == "eaa2420f56a1af30c648e8286482b7ace79addb4a5bddc5b3089432d07f1bb11"
    )
  }

  @Test func `the stores whose models are here fit one of them`() throws {
    var known: Set<[String: VersionHash]> = []
    for path in Self.sources + Self.compiled {
      known.insert(try Self.model(path).entityVersionHashesByName)
    }
    let unknown = try SharedData.stores.filter {
      try !known.contains(StoredModel(store: $0).hashes)
    }
    #expect(
      unknown == [
        "core-data-plus/SampleModel2_V2.sqlite", "cyface/V1TestData.sqlite",
        "cyface/V2TestData.sqlite", "cyface/V5TestData.sqlite", "cyface/V9TestData.sqlite",
        "photos/Photos-10.16.0.sqlite", "swiftdata/cartkit/CartKitSwiftData_v1.sqlite",
        "swiftdata/cartkit/CartStorage_v1.sqlite", "swiftdata/cocktails/2024-09-09.store",
        "swiftdata/cocktails/2024-09-21.store", "swiftdata/cocktails/2024-11-09.store",
        "swiftdata/freezeray/App-1_0_0.sqlite", "swiftdata/freezeray/App-2_0_0.sqlite",
        "xcserver/XCServerCoreData_2.0.0_empty.sqlite", "xcserver/XCServerCoreData_2.0.1.sqlite",
      ]
    )
  }
}

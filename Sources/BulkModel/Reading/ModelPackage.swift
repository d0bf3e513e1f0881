internal import BulkCoding

/// A folder with the versions of a model: an `.xcdatamodeld` of sources, or a `.momd` of compiled models.
public struct ModelPackage: Sendable {
  /// One version of the model.
  public struct Version: Hashable, Sendable {
    /// The version's name: that of its file or folder, without the extension.
    public let name: String
    /// The path of the version.
    public let path: String
    /// Whether the package marks it as the current one.
    public let isCurrent: Bool
    /// The version hashes of its entities by name, if `VersionInfo.plist` has them.
    public let recordedHashes: [String: VersionHash]?
    /// The checksum of the version, if `VersionInfo.plist` has it.
    public let recordedChecksum: String?

    /// Reads the version.
    ///
    /// - Throws: ``ModelError`` if it cannot be read or is invalid.
    public func model() throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(contentsOf: path)
    }
  }

  /// The path of the package.
  public let path: String
  /// The versions by name in code-unit order, which does not reflect their age: packages do not record the
  /// order in which their versions were made.
  public let versions: [Version]

  /// Lists the versions of a package, without reading them.
  ///
  /// - Throws: ``ModelError`` if the folder cannot be read or holds no version, or if its current version
  ///   does not exist.
  public init(contentsOf path: String) throws(ModelError) {
    let folder = ModelFile(path)
    self.path = folder.path
    let files = try folder.files()
    let sources = files.filter { $0.extension == "xcdatamodel" }
    let compiled = files.filter { $0.extension == "mom" }
    let found =
      sources.isEmpty
      ? try CompiledPackage.versions(compiled, in: folder)
      : try Self.sourceVersions(sources, in: folder)
    versions = found.sorted { CodeUnitOrder.precedes($0.name, $1.name) }
    guard !versions.isEmpty else {
      throw .notAModel(path: folder.path, reason: "the folder holds no .xcdatamodel and no .mom")
    }
  }

  /// The version that is marked as current, or the only one.
  ///
  /// - Throws: ``ModelError/notAModel(path:reason:)`` if there are several and none is marked.
  public func currentVersion() throws(ModelError) -> Version {
    if let marked = versions.first(where: \.isCurrent) { return marked }
    if versions.count == 1, let only = versions.first { return only }
    let names = versions.map(\.name).joined(separator: ", ")
    throw .notAModel(
      path: path,
      reason: "it marks none of its versions as current; name one of them: \(names)"
    )
  }

  /// The version with a name, with or without its extension.
  public func version(named name: String) -> Version? {
    versions.first { $0.name == name || ModelFile($0.path).name == name }
  }

  /// `.xccurrentversion` holds the name of the current version's folder under
  /// `_XCCurrentVersionName`; the file or its entry may be missing.
  private static func sourceVersions(
    _ sources: [ModelFile],
    in folder: ModelFile
  ) throws(ModelError) -> [Version] {
    let mark = folder.file(".xccurrentversion")
    var current: String?
    if mark.exists {
      current = try mark.propertyList().dictionary?["_XCCurrentVersionName"]?.string
    }
    if let current, !sources.contains(where: { $0.name == current }) {
      throw .invalid(
        path: mark.path,
        place: "_XCCurrentVersionName",
        reason: "the current version is \(current), which the folder does not hold"
      )
    }
    return sources.map { source in
      Version(
        name: source.nameWithoutExtension,
        path: source.path,
        isCurrent: source.name == current,
        recordedHashes: nil,
        recordedChecksum: nil
      )
    }
  }
}

/// The folder `.momd` of compiled model versions, with its `VersionInfo.plist`.
///
/// The property list has `NSManagedObjectModel_CurrentVersionName` (without extension, and absent if there
/// is one version), `NSManagedObjectModel_VersionHashes` (by version and entity) and, from newer tools,
/// `NSManagedObjectModel_VersionChecksums` (by version).
enum CompiledPackage {
  static func versions(
    _ files: [ModelFile],
    in folder: ModelFile
  ) throws(ModelError) -> [ModelPackage.Version] {
    let file = folder.file("VersionInfo.plist")
    let info = file.exists ? try file.propertyList().dictionary ?? [:] : [:]
    let current = info["NSManagedObjectModel_CurrentVersionName"]?.string
    if let current, !files.contains(where: { $0.nameWithoutExtension == current }) {
      throw .invalid(
        path: file.path,
        place: "NSManagedObjectModel_CurrentVersionName",
        reason: "the current version is \(current), which the folder does not hold"
      )
    }
    let hashes = info["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:]
    let checksums = info["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:]
    return files.map { version in
      let name = version.nameWithoutExtension
      return ModelPackage.Version(
        name: name,
        path: version.path,
        isCurrent: name == current,
        recordedHashes: hashes[name]?.dictionary.map(Self.hashes),
        recordedChecksum: checksums[name]?.string
      )
    }
  }

  private static func hashes(_ entries: [String: PropertyList]) -> [String: VersionHash] {
    entries.compactMapValues { $0.data.flatMap(VersionHash.init) }
  }
}

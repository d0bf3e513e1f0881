internal import BulkCoding
internal import BulkPlatform

/// A folder with the versions of a model: an `.xcdatamodeld` of sources, or a `.momd` of compiled models.
package struct ModelPackage: Sendable {
  package struct Version: Hashable, Sendable {
    /// The version's name: that of its file or folder, without the extension.
    package let name: String
    package let path: String
    /// Whether the package marks it as the current one.
    package let isCurrent: Bool
    /// The version hashes of its entities by name, if `VersionInfo.plist` has them.
    package let recordedHashes: [String: VersionHash]?
    /// The checksum of the version, if `VersionInfo.plist` has it.
    package let recordedChecksum: String?

    /// Reads the version.
    ///
    /// - Throws: ``ModelError`` if it cannot be read or is invalid.
    package func model() throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(contentsOf: path)
    }
  }

  package let path: String
  /// The versions by name in code-unit order, which does not reflect their age: packages do not record the
  /// order in which their versions were made.
  package let versions: [Version]

  /// Lists the versions of a package, without reading them.
  ///
  /// - Throws: ``ModelError`` if the folder cannot be read or holds no version, or if its current version
  ///   does not exist.
  package init(contentsOf path: String) throws(ModelError) {
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
  package func currentVersion() throws(ModelError) -> Version {
    if let marked = versions.first(where: \.isCurrent) { return marked }
    if versions.count == 1, let only = versions.first { return only }
    let names = versions.map(\.name).joined(separator: ", ")
    throw .notAModel(
      path: path,
      reason: "it marks none of its versions as current; name one of them: \(names)"
    )
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

/// A file or folder at a path, for reading models.
struct ModelFile {
  /// The size limit of a model file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 512 * 1024 * 1024

  let path: String

  init(_ path: String) {
    // A path to a folder often ends with a slash.
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The last component of the path.
  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The extension of the name, in lowercase.
  var `extension`: String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[parts.count - 1]).lowercased() : ""
  }

  var nameWithoutExtension: String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  var isFolder: Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  func file(_ name: String) -> ModelFile { ModelFile(path + "/" + name) }

  /// The contents of a folder, by name in code-unit order.
  func files() throws(ModelError) -> [ModelFile] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sortedByCodeUnit().map(file)
    } catch {
      let reason = exists ? "\(error)" : "the file does not exist"
      throw .unreadable(path: path, reason: reason)
    }
  }

  func bytes() throws(ModelError) -> [UInt8] {
    do throws(FileReading.Fault) {
      return try FileReading.bytes(ofFile: path, atMost: Self.sizeLimit)
    } catch {
      throw .unreadable(path: path, reason: error.reason(limit: Self.sizeLimit, kind: "model"))
    }
  }

  func propertyList() throws(ModelError) -> PropertyList {
    let bytes = try bytes()
    do throws(CodingError) {
      return try PropertyList(bytes)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}

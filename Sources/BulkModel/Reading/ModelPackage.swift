internal import BulkSupport

/// A folder with the versions of a model: an `.xcdatamodeld` of sources, or a `.momd` of compiled models.
package struct ModelPackage: Sendable {
  package struct Version: Hashable, Sendable {
    /// The version's name: that of its file or folder, without the extension.
    package let name: String
    package let path: String
    package let isCurrent: Bool
    /// The version hashes of its entities by name, if `VersionInfo.plist` has them.
    package let recordedHashes: [String: VersionHash]?
    /// The checksum of the version, if `VersionInfo.plist` has it.
    package let recordedChecksum: String?

    package func model() throws(ModelError) -> ManagedObjectModel {
      try ManagedObjectModel(contentsOf: path)
    }
  }

  package let path: String
  /// The versions by name in code-unit order, which does not reflect their age: packages do not record the
  /// order in which their versions were made.
  package let versions: [Version]

  /// Lists the versions of a package, without reading them.
  package init(contentsOf path: String) throws(ModelError) {
    let folder = ModelFile(path)
    self.path = folder.path
    let files = try folder.files()
    let sources = files.filter { $0.extension == "xcdatamodel" }
    let compiled = files.filter { $0.extension == "mom" }
    let found =
      sources.isEmpty
      ? try Self.compiledVersions(compiled, in: folder)
      : try Self.sourceVersions(sources, in: folder)
    versions = found.sorted { CodeUnitOrder.precedes($0.name, $1.name) }
    guard !versions.isEmpty else {
      throw .notAModel(path: folder.path, reason: "the folder holds no .xcdatamodel and no .mom")
    }
  }

  /// The version that is marked as current, or the only one.
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
    let (_, current) = try current(
      "_XCCurrentVersionName",
      in: folder.file(".xccurrentversion"),
      among: sources.map(\.name)
    )
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

  /// The versions of a `.momd`, whose `VersionInfo.plist` has `NSManagedObjectModel_CurrentVersionName` (without
  /// extension, and absent if there is one version), `NSManagedObjectModel_VersionHashes` (by version and
  /// entity) and, from newer tools, `NSManagedObjectModel_VersionChecksums` (by version).
  private static func compiledVersions(
    _ files: [ModelFile],
    in folder: ModelFile
  ) throws(ModelError) -> [Version] {
    let (info, current) = try current(
      "NSManagedObjectModel_CurrentVersionName",
      in: folder.file("VersionInfo.plist"),
      among: files.map(\.nameWithoutExtension)
    )
    let hashes = info["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:]
    let checksums = info["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:]
    return files.map { version in
      let name = version.nameWithoutExtension
      return Version(
        name: name,
        path: version.path,
        isCurrent: name == current,
        recordedHashes: hashes[name]?.dictionary?
          .compactMapValues { $0.data.flatMap(VersionHash.init) },
        recordedChecksum: checksums[name]?.string
      )
    }
  }

  /// The property list of a package, and the current version that it names under a key.
  private static func current(
    _ key: String,
    in file: ModelFile,
    among names: [String]
  ) throws(ModelError) -> ([String: PropertyList], String?) {
    let info = file.exists ? try file.propertyList().dictionary ?? [:] : [:]
    let current = info[key]?.string
    if let current, !names.contains(current) {
      throw .invalid(
        path: file.path,
        location: key,
        reason: "the current version is \(current), which the folder does not hold"
      )
    }
    return (info, current)
  }
}

struct ModelFile {
  /// The size limit of a model file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 512 * 1024 * 1024

  let path: String

  init(_ path: String) {
    // A path to a folder often ends with a slash.
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

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

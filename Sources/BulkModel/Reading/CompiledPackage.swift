internal import BulkCoding

/// The folder `.momd` of compiled model versions, with its `VersionInfo.plist`.
///
/// The property list has `NSManagedObjectModel_CurrentVersionName` (without extension, and missing
/// where there is one version), `NSManagedObjectModel_VersionHashes` (by version and entity) and, from
/// newer tools, `NSManagedObjectModel_VersionChecksums` (by version).
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

internal import BulkModel
package import BulkStore

extension VersionLine {
  /// The version that opens stores: the one that is named, else the current one, else the last of the names.
  func opening(_ name: String?) -> LibraryVersion {
    let named = name.map(versions(named:)) ?? []
    return named.count == 1 ? named[0] : current ?? versions[versions.count - 1]
  }

  /// The place of a version in the order of the names; of equal versions that of the first.
  func index(of version: LibraryVersion) -> Int {
    versions.firstIndex { $0 === version || $0.hashes == version.hashes } ?? 0
  }

  func nearest(to store: PersistentStore) -> LibraryVersion? {
    let counts = versions.map { version in
      (try? version.model()).map { ModelLocator.differences(store, $0).count } ?? .max
    }
    return counts.min().flatMap(counts.lastIndex).map { versions[$0] }
  }

  /// What is wrong with the versions: those that cannot be read, equal checksums, and an identifier of several.
  var faults: [String] {
    versions.compactMap(\.fault) + equalChecksums + sharedIdentifiers
  }

  /// Several stores of one version are not a fault, since they have its identifiers too.
  private var equalChecksums: [String] {
    var seen: [[String: VersionHash]: LibraryVersion] = [:]
    return versions.compactMap { version in
      guard let hashes = version.hashes else { return nil }
      guard let first = seen[hashes] else {
        seen[hashes] = version
        return nil
      }
      guard !(first.isStore && version.isStore && first.identifiers == version.identifiers) else {
        return nil
      }
      return
        "\(first.fileName) and \(version.fileName) have one checksum, so a migration plan with both "
        + "throws \"Duplicate version checksums detected.\""
    }
  }

  /// An identifier of several versions of SwiftData, which a developer has changed in place.
  private var sharedIdentifiers: [String] {
    var seen: [String: [LibraryVersion]] = [:]
    for version in versions where version.isStore {
      for identifier in version.identifiers where !identifier.isEmpty {
        guard seen[identifier]?.contains(where: { $0.hashes == version.hashes }) != true else {
          continue
        }
        seen[identifier, default: []].append(version)
      }
    }
    return seen.keys.sortedByCodeUnit().compactMap { identifier in
      guard let versions = seen[identifier], versions.count > 1 else { return nil }
      let files = versions.map(\.fileName).joined(separator: ", ")
      return
        "\(versions.count) versions have the identifier \(identifier): \(files); a version that has shipped was "
        + "changed in its place"
    }
  }
}

extension PersistentStore {
  /// Whether SwiftData wrote the store: its identifier is a `Schema.Version`, and it has history, which SwiftData always
  /// keeps.
  package var isOfSwiftData: Bool {
    SchemaVersion(metadata.versionIdentifiers) != nil && schema.table(named: "ATRANSACTION") != nil
  }
}

/// The version of a store, and where it was found.
package struct FoundVersion {
  /// Where a version was found.
  enum Origin: String {
    /// In a package of versions, or in a folder of models.
    case library
    /// In a mapping of Xcode, which keeps copies of its models.
    case mapping
    /// In another store, which keeps its model.
    case otherStore
    /// Several models together are the store's.
    case merged
    /// In the store itself.
    case store
  }

  /// What it is called.
  package let name: String
  /// The model.
  package let model: LocatedModel
  /// Where it was found.
  let origin: Origin
  /// The versions among which it stands; empty where it stands alone, several where models are merged.
  package var lines: [VersionLine] = []
  /// Its place in each of the lines.
  package var versions: [LibraryVersion] = []

  /// Whether it is the current version of all its lines; `nil` where they mark none.
  package var isCurrent: Bool? {
    guard !lines.isEmpty, lines.allSatisfy({ $0.current != nil }) else { return nil }
    return zip(lines, versions).allSatisfy { line, version in
      line.current?.hashes == version.hashes
    }
  }
}

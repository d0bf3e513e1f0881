/// The version of a store, and where it was found.
package struct FoundVersion {
  /// Where a version was found.
  enum Origin: String {
    /// In a version package, or in a folder of models.
    case library
    /// In a mapping of Xcode, which keeps copies of its models.
    case mapping
    /// In another store, which keeps its model.
    case otherStore
    /// Several merged models make up the store's.
    case merged
    /// In the store itself.
    case store
  }

  /// Its name.
  package let name: String
  /// The model.
  package let model: LocatedModel
  /// Where it was found.
  let origin: Origin
  /// The lines that it belongs to; empty for a version of none, several where models are merged.
  package internal(set) var lines: [VersionLine] = []
  /// Its place in each of the lines.
  package internal(set) var versions: [LibraryVersion] = []

  /// Whether it was found in the store alone, so that it says nothing of other stores.
  package var isOfOneStore: Bool { origin == .store }

  /// Whether it is the current version of all its lines; `nil` where they mark none.
  package var isCurrent: Bool? {
    guard !lines.isEmpty, lines.allSatisfy({ $0.current != nil }) else { return nil }
    return zip(lines, versions).allSatisfy { line, version in
      line.current?.hashes == version.hashes
    }
  }
}

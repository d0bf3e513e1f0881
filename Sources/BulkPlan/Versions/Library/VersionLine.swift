package import BulkModel
internal import BulkSupport
internal import BulkStore

/// The versions of one model in the order of their names, which is taken for that of their creation: those of
/// a package, or the models or stores in one folder.
package final class VersionLine {
  package let path: String
  /// The versions in the natural order of their names.
  package let versions: [LibraryVersion]

  init(path: String, versions: [LibraryVersion]) {
    self.path = path
    self.versions = versions.sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

  convenience init(package path: String) throws(PlanError) {
    let package = try PlanError.readingModel(try ModelPackage(contentsOf: path))
    self.init(path: package.path, versions: package.versions.map { LibraryVersion($0) })
  }

  /// The versions that stores in a folder keep; the current one is the highest, where all have versions of SwiftData.
  convenience init(folder: String, stores: [PersistentStore]) {
    let versions = stores.map { SchemaVersion($0.metadata.versionIdentifiers) }
    let highest = versions.contains { $0 == nil } ? nil : versions.compactMap(\.self).max()
    let latest = zip(stores, versions).filter { $0.1 == highest }.map(\.0)
    let isKnown = highest != nil && Set(latest.map(\.metadata.versionHashes)).count == 1
    self.init(
      path: folder,
      versions: stores.map { store in
        LibraryVersion(store, isCurrent: isKnown && latest.contains { $0.path == store.path })
      }
    )
  }

  /// The version of a store of several models, and the one that these make now; `nil` for a store of one model, or where a
  /// model marks none.
  convenience init?(merging found: FoundVersion) throws(PlanError) {
    let current = found.lines.compactMap(\.current)
    guard current.count == found.lines.count, current.count > 1 else { return nil }
    let name = current.map(\.name).joined(separator: " + ")
    let opening = LibraryVersion(name, try ModelLibrary.merged(current), isCurrent: true)
    let own = opening.hashes == found.hashes ? [] : [LibraryVersion(found.name, found.model)]
    self.init(path: found.lines.map(\.path).joined(separator: " + "), versions: own + [opening])
  }

  /// The current version: the one that is marked, or the only one.
  package var current: LibraryVersion? {
    versions.first(where: \.isMarkedCurrent) ?? (versions.count == 1 ? versions[0] : nil)
  }

  /// The versions in the order in which a store's is searched for: the current one, then the latest first.
  var inSearchOrder: [LibraryVersion] {
    let rest = versions.reversed().filter { !$0.isMarkedCurrent }
    return versions.filter(\.isMarkedCurrent) + rest
  }

  package func version(with hashes: [String: VersionHash]) -> LibraryVersion? {
    inSearchOrder.first { $0.hashes == hashes }
  }

  /// The versions with a name, given with or without its extension, or an identifier.
  ///
  /// One, where a file has the name; otherwise those with the identifier, of equal ones the last.
  package func versions(named name: String) -> [LibraryVersion] {
    let file = versions.first { $0.name == name || $0.fileName == name }
    if let file { return [file] }
    var found: [LibraryVersion] = []
    for version in versions.reversed() where version.identifiers.contains(name) {
      if !found.contains(where: { $0.hashes == version.hashes }) { found.insert(version, at: 0) }
    }
    return found
  }

  func restricted(to configuration: String) -> VersionLine {
    VersionLine(
      path: path,
      versions: versions.filter {
        (try? $0.model())?.configurations[configuration] != nil
      }.map { LibraryVersion($0, configuration: configuration) }
    )
  }

  package var location: String {
    guard versions.count > 1 else { return versions[0].path }
    return "\(versions.count) \(versions[0].isStore ? "stores" : "versions") in \(path)"
  }
}

/// The natural order of names: runs of digits compare as numbers, so `Model 2` precedes `Model 10`, and
/// `Model` precedes both.
///
/// A version package records no order, so that of the names is the only one.
package enum NaturalOrder {
  /// Whether one name precedes another; case counts only where the names are otherwise equal.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    let (one, other) = (parts(first), parts(second))
    for (left, right) in zip(one, other) where left != right {
      return left.precedes(right)
    }
    if one.count != other.count { return one.count < other.count }
    return first.utf16.lexicographicallyPrecedes(second.utf16)
  }

  /// A run of digits without leading zeros, or another character.
  private struct Part: Equatable {
    let digits: [UInt8]
    let letter: UInt16

    func precedes(_ other: Part) -> Bool {
      guard !digits.isEmpty, !other.digits.isEmpty else {
        // A number precedes any letter, as digits do among code units.
        return digits.isEmpty == other.digits.isEmpty
          ? letter < other.letter : !digits.isEmpty
      }
      return digits.count == other.digits.count
        ? digits.lexicographicallyPrecedes(other.digits) : digits.count < other.digits.count
    }
  }

  private static func parts(_ name: String) -> [Part] {
    var result: [Part] = []
    var digits: [UInt8] = []
    func endNumber() {
      guard !digits.isEmpty else { return }
      let bare = Array(digits.drop { $0 == 0 })
      result.append(Part(digits: bare.isEmpty ? [0] : bare, letter: 0))
      digits = []
    }
    for unit in name.lowercased().utf16 {
      if (0x30...0x39).contains(unit) {
        digits.append(UInt8(unit - 0x30))
      } else {
        endNumber()
        result.append(Part(digits: [], letter: unit))
      }
    }
    endNumber()
    return result
  }
}

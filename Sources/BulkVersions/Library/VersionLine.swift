package import BulkModel
internal import BulkPlatform

/// The versions of one model in the order of their names, which is taken for that of their creation: those of
/// a package, or the models in one folder.
package final class VersionLine {
  package let path: String
  /// The versions in the natural order of their names.
  package let versions: [LibraryVersion]

  init(path: String, versions: [LibraryVersion]) {
    self.path = path
    self.versions = versions.sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

  /// The versions of a package.
  convenience init(package path: String) throws(PlanError) {
    let package = try PlanError.readingModel(try ModelPackage(contentsOf: path))
    self.init(path: package.path, versions: package.versions.map { LibraryVersion($0) })
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

  /// The version with a name, given with or without its extension.
  package func version(named name: String) -> LibraryVersion? {
    versions.first {
      $0.name == name || URL(fileURLWithPath: $0.path).lastPathComponent == name
    }
  }

  /// The versions that have a configuration, each restricted to it.
  func restricted(to configuration: String) -> VersionLine {
    VersionLine(
      path: path,
      versions: versions.filter {
        (try? $0.model())?.configurations[configuration] != nil
      }.map { LibraryVersion($0, configuration: configuration) }
    )
  }

  /// The name of the line in a list of places.
  package var place: String {
    versions.count == 1 ? versions[0].path : "\(versions.count) versions in \(path)"
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
    var isInNumber = false
    func endNumber() {
      guard isInNumber else { return }
      let bare = Array(digits.drop { $0 == 0 })
      result.append(Part(digits: bare.isEmpty ? [0] : bare, letter: 0))
      digits = []
      isInNumber = false
    }
    for unit in name.lowercased().utf16 {
      if (0x30...0x39).contains(unit) {
        isInNumber = true
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

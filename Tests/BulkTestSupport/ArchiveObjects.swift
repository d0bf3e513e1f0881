import BulkSupport

/// The objects of a keyed archive in their order, each text once, as a writer without identities of texts writes them.
///
/// A dictionary is in the order of its keys, which Foundation's has not.
package struct ArchiveObjects: Equatable {
  package struct Kind: Hashable {
    package let classes: [String]
    package let keys: [String]
  }

  package private(set) var objects: [PropertyList] = []

  package init(_ list: PropertyList) throws {
    guard case .array(let all)? = list.dictionary?["$objects"] else { return }
    var first: [PropertyList: Int] = [:]
    var numbers: [Int] = []
    var kept: [PropertyList] = []
    for object in all {
      if object.string != nil, let known = first[object] {
        numbers.append(known)
        continue
      }
      first[object] = kept.count
      numbers.append(kept.count)
      kept.append(object)
    }
    objects = kept
    objects = kept.map { Self.sorted(Self.renumbered($0, numbers), kept) }
  }

  /// The classes with the keys of their objects.
  package var kinds: Set<Kind> {
    Set(
      objects.compactMap { object in
        guard let entries = object.dictionary, case .uid(let number)? = entries["$class"],
          let classes = objects[number].dictionary?["$classes"]?.array
        else { return nil }
        // Three of 39 mapping models have it not.
        let keys = entries.keys.filter { $0 != "_xd_modelManager" }.sorted()
        return Kind(classes: classes.compactMap(\.string), keys: keys)
      }
    )
  }

  private static func renumbered(_ list: PropertyList, _ numbers: [Int]) -> PropertyList {
    switch list {
    case .uid(let number): .uid(numbers[number])
    case .array(let elements): .array(elements.map { renumbered($0, numbers) })
    case .dictionary(let entries): .dictionary(entries.mapValues { renumbered($0, numbers) })
    default: list
    }
  }

  private static func sorted(_ object: PropertyList, _ objects: [PropertyList]) -> PropertyList {
    guard case .dictionary(var entries) = object, let keys = entries["NS.keys"]?.array,
      let values = entries["NS.objects"]?.array
    else { return object }
    func text(_ key: PropertyList) -> String {
      if case .uid(let number) = key { objects[number].string ?? "" } else { "" }
    }
    let pairs = zip(keys, values).sorted { text($0.0) < text($1.0) }
    entries["NS.keys"] = .array(pairs.map(\.0))
    entries["NS.objects"] = .array(pairs.map(\.1))
    return .dictionary(entries)
  }
}

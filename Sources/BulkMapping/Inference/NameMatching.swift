internal import BulkModel

/// Matches items of two model versions by their names and renaming identifiers.
///
/// Items match if their canonical names are equal: the renaming identifier, or the name if there is none. Of
/// the remaining items, one whose identifier is the name of a source item continues that item, and one
/// without identifier continues the item with its name, so that no value is lost because a version uses the
/// name of the preceding version as its identifier or drops its identifiers.
struct NameMatching: Sendable {
  struct Item: Hashable, Sendable {
    let name: String
    let identifier: String?
    var canonicalName: String { identifier ?? name }

    init(name: String, identifier: String?) { (self.name, self.identifier) = (name, identifier) }

    init(_ attribute: AttributeDescription) {
      self.init(name: attribute.name, identifier: attribute.renamingIdentifier)
    }

    init(_ relationship: RelationshipDescription) {
      self.init(name: relationship.name, identifier: relationship.renamingIdentifier)
    }
  }

  private(set) var sourceNames: [String: String] = [:]
  /// Items of one version that share a canonical name, so that it is undecided which of them continues
  /// which.
  private(set) var ambiguities: [Ambiguity] = []

  /// An item that shares its canonical name with others of its version.
  struct Ambiguity: Sendable {
    let item: Item
    /// The names of all items of both versions with this canonical name.
    let names: Set<String>
  }

  /// Items have unique names; `isUnchanged` is whether those with a name are known to be the same, unless
  /// something else matches one of them.
  init(from source: [Item], to destination: [Item], isUnchanged: (String) -> Bool) {
    let sources = Dictionary(grouping: source, by: \.canonicalName)
    var taken: Set<String> = []
    for (canonical, items) in Dictionary(grouping: destination, by: \.canonicalName) {
      guard let candidates = sources[canonical] else { continue }
      if let names = Self.pairs(candidates, items) {
        for (name, sourceName) in names { match(name, sourceName, &taken) }
      } else {
        let names = Set((candidates + items).map(\.name))
        ambiguities += (Self.doubtful(candidates) + Self.doubtful(items))
          .map { Ambiguity(item: $0, names: names) }
      }
    }
    let open = destination.filter { sourceNames[$0.name] == nil }
    let left = Set(source.map(\.name)).subtracting(taken)
    for (name, items) in Dictionary(grouping: open, by: \.canonicalName) where left.contains(name) {
      // Match the item that kept its name, so that its other changes are reported as well.
      match((items.first { $0.name == name } ?? items[0]).name, name, &taken)
      guard items.count > 1, sources[name] == nil else { continue }
      ambiguities += Self.doubtful(items)
        .map { Ambiguity(item: $0, names: Set(items.map(\.name))) }
    }
    for item in open where left.contains(item.name) && isUnchanged(item.name) {
      match(item.name, item.name, &taken)
    }
  }

  private mutating func match(_ name: String, _ sourceName: String, _ taken: inout Set<String>) {
    guard sourceNames[name] == nil, taken.insert(sourceName).inserted else { return }
    sourceNames[name] = sourceName
  }

  /// Pairs items that share a canonical name: one with one, or several by their names.
  private static func pairs(_ source: [Item], _ destination: [Item]) -> [(String, String)]? {
    if source.count == 1, destination.count == 1 { return [(destination[0].name, source[0].name)] }
    let names = Set(source.map(\.name))
    guard names == Set(destination.map(\.name)) else { return nil }
    return names.map { ($0, $0) }
  }

  /// The items sharing a canonical name whose own names differ from it.
  private static func doubtful(_ items: [Item]) -> [Item] {
    guard items.count > 1 else { return [] }
    let renamed = items.filter { $0.name != $0.canonicalName }
    return renamed.count == items.count ? Array(renamed.dropFirst()) : renamed
  }
}

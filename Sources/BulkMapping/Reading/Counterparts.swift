/// Which property of a source entity a destination property continues, where nothing is written.
///
/// Renaming identifiers count first, then names; a name that another property has as its identifier
/// is taken.
struct Counterparts {
  private var names: [String: String] = [:]

  init(_ source: [NameMatching.Thing], _ destination: [NameMatching.Thing]) {
    let sourceNames = Set(source.map(\.name))
    let byCanonicalName = Dictionary(grouping: source, by: \.canonicalName)
    var claimed: Set<String> = []
    for thing in destination {
      let candidates = byCanonicalName[thing.canonicalName, default: []]
      let same = candidates.first { $0.name == thing.name }
      guard let found = same ?? (candidates.count == 1 ? candidates.first : nil) else { continue }
      names[thing.name] = found.name
      claimed.insert(found.name)
    }
    for thing in destination where names[thing.name] == nil {
      guard
        let name = [thing.canonicalName, thing.name].first(where: {
          sourceNames.contains($0) && !claimed.contains($0)
        })
      else { continue }
      names[thing.name] = name
      claimed.insert(name)
    }
  }

  /// The source property that a destination property continues.
  func sourceName(of name: String) -> String? { names[name] }
}

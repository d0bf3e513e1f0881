/// Which things of two model versions are the same, by their names and renaming identifiers.
///
/// Things are the same when their canonical names are equal: the renaming identifier, or the name
/// where there is none. Of what is left, a thing whose identifier is the name of one in the source
/// continues that, and a thing without identifier continues the one of its name, so that no value is
/// lost because a version carries the name of the version just before it or drops its identifiers.
struct NameMatching: Sendable {
  /// A thing with a name.
  struct Thing: Hashable, Sendable {
    let name: String
    let identifier: String?
    var canonicalName: String { identifier ?? name }
  }

  /// The names in the source, by those in the destination.
  private(set) var sourceNames: [String: String] = [:]
  /// Things of one version that go by one canonical name, so that it is open which of them continues
  /// what.
  private(set) var ambiguities: [Ambiguity] = []

  /// A thing that goes by the canonical name of others of its version.
  struct Ambiguity: Sendable {
    let thing: Thing
    /// The names of all things of both versions that go by the canonical name.
    let names: Set<String>
  }

  /// Matches things.
  ///
  /// - Parameters:
  ///   - source: The things of the source, each name once.
  ///   - destination: The things of the destination, each name once.
  ///   - isUnchanged: Whether the things of a name are known to be the same if nothing else speaks
  ///     of them.
  init(from source: [Thing], to destination: [Thing], isUnchanged: (String) -> Bool) {
    let sources = Dictionary(grouping: source, by: \.canonicalName)
    var taken: Set<String> = []
    for (canonical, things) in Dictionary(grouping: destination, by: \.canonicalName) {
      guard let candidates = sources[canonical] else { continue }
      if let names = Self.pairs(candidates, things) {
        for (name, sourceName) in names { match(name, sourceName, &taken) }
      } else {
        let names = Set((candidates + things).map(\.name))
        ambiguities += (Self.doubtful(candidates) + Self.doubtful(things))
          .map { Ambiguity(thing: $0, names: names) }
      }
    }
    let open = destination.filter { sourceNames[$0.name] == nil }
    let left = Set(source.map(\.name)).subtracting(taken)
    for (name, things) in Dictionary(grouping: open, by: \.canonicalName) where left.contains(name)
    {
      // One that kept the name is taken for the same, so that all else about it is told as well.
      match((things.first { $0.name == name } ?? things[0]).name, name, &taken)
      guard things.count > 1, sources[name] == nil else { continue }
      ambiguities += Self.doubtful(things)
        .map { Ambiguity(thing: $0, names: Set(things.map(\.name))) }
    }
    for thing in open where left.contains(thing.name) && isUnchanged(thing.name) {
      match(thing.name, thing.name, &taken)
    }
  }

  private mutating func match(_ name: String, _ sourceName: String, _ taken: inout Set<String>) {
    guard sourceNames[name] == nil, taken.insert(sourceName).inserted else { return }
    sourceNames[name] = sourceName
  }

  /// Pairs things of one canonical name: one with one, or several by their names.
  private static func pairs(_ source: [Thing], _ destination: [Thing]) -> [(String, String)]? {
    if source.count == 1, destination.count == 1 { return [(destination[0].name, source[0].name)] }
    let names = Set(source.map(\.name))
    guard names == Set(destination.map(\.name)) else { return nil }
    return names.map { ($0, $0) }
  }

  /// Of several things of one canonical name those that are called otherwise.
  private static func doubtful(_ things: [Thing]) -> [Thing] {
    guard things.count > 1 else { return [] }
    let renamed = things.filter { $0.name != $0.canonicalName }
    return renamed.count == things.count ? Array(renamed.dropFirst()) : renamed
  }
}

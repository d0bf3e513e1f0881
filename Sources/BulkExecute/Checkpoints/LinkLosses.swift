/// How many links were lost because the mappings that fill a relationship made no object, by relationship
/// as `Entity.relationship`.
struct LinkLosses: Codable, Hashable, Sendable {
  /// Links to objects that no mapping migrates.
  private(set) var unmigrated: [String: Int64] = [:]
  /// Links to objects that other mappings read, so that they may have been migrated.
  private(set) var overlooked: [String: Int64] = [:]
  /// Links of source objects with which a policy associated no object, by entity mapping and relationship.
  private(set) var unassociated: [String: [String: Int64]]?
  /// The source objects that no mapping took, by entity, where filters of several mappings are evaluated.
  var untaken: [String: Int64]?
  /// The objects with the least keys that lost one, by relationship; a checkpoint does not keep them.
  private(set) var first: [String: [SourceObject]] = [:]

  /// An object of the source.
  struct SourceObject: Hashable, Sendable {
    /// Its entity.
    let entity: String
    /// Its key.
    let key: Int64
  }

  /// The most objects that are kept of a relationship.
  static let shown = 10

  private enum CodingKeys: CodingKey {
    case unmigrated
    case overlooked
    case unassociated
    case untaken
  }

  /// Adds a link of an object.
  mutating func add(
    _ relationship: String,
    of entity: String,
    _ key: Int64,
    isOverlooked: Bool
  ) {
    add(relationship, 1, overlooked: isOverlooked ? 1 : 0)
    // Links come in the order of their other ends.
    let known = first[relationship] ?? []
    if known.count == Self.shown, let last = known.last, key >= last.key { return }
    first[relationship] = Self.first(of: known + [SourceObject(entity: entity, key: key)])
  }

  private static func first(of objects: [SourceObject]) -> [SourceObject] {
    Array(objects.sorted { $0.key < $1.key }.prefix(shown))
  }

  /// Adds a number of links, some of which were overlooked.
  mutating func add(_ relationship: String, _ count: Int64, overlooked others: Int64) {
    if count > others { unmigrated[relationship, default: 0] += count - others }
    if others > 0 { overlooked[relationship, default: 0] += others }
  }

  /// Adds a link of a source object with which a mapping associated none.
  mutating func addUnassociated(_ relationship: String, by mapping: String) {
    unassociated = unassociated ?? [:]
    unassociated?[mapping, default: [:]][relationship, default: 0] += 1
  }

  mutating func add(_ losses: LinkLosses) {
    if let others = losses.unassociated {
      unassociated = (unassociated ?? [:]).merging(others) { $0.merging($1, uniquingKeysWith: +) }
    }
    unmigrated.merge(losses.unmigrated, uniquingKeysWith: +)
    overlooked.merge(losses.overlooked, uniquingKeysWith: +)
    first.merge(losses.first) { Self.first(of: $0 + $1) }
  }
}

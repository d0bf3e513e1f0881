/// How many links were lost because the mappings that fill a relationship made no object, by relationship
/// as `Entity.relationship`.
struct LinkLosses: Codable, Hashable, Sendable {
  /// Links to objects that no mapping migrates.
  private(set) var unmigrated: [String: Int64] = [:]
  /// Links to objects that other mappings read, so that they may have been migrated.
  private(set) var overlooked: [String: Int64] = [:]

  mutating func add(_ relationship: String, isOverlooked: Bool) {
    add(relationship, 1, overlooked: isOverlooked ? 1 : 0)
  }

  /// Adds a number of links, some of which were overlooked.
  mutating func add(_ relationship: String, _ count: Int64, overlooked others: Int64) {
    if count > others { unmigrated[relationship, default: 0] += count - others }
    if others > 0 { overlooked[relationship, default: 0] += others }
  }

  mutating func add(_ losses: LinkLosses) {
    unmigrated.merge(losses.unmigrated, uniquingKeysWith: +)
    overlooked.merge(losses.overlooked, uniquingKeysWith: +)
  }
}

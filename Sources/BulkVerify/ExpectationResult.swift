internal import BulkMapping

/// The result of an expectation of a mapping file.
public struct ExpectationResult: Codable, Hashable, Sendable {
  /// The name of the expectation.
  public var name: String
  /// The destination entity whose objects are expected.
  public var entity: String
  /// The number of objects that were checked.
  public var objects: Int64
  /// Whether it is met.
  public var isMet: Bool
  /// Whether it was not checked, because another store of the configuration has the entity.
  public var isSkipped = false
  /// The finding, or the reason for skipping it; `nil` if it is met.
  public var reason: String?
  /// The keys of the first objects for which it is not met, in ascending order.
  public var keys: [Int64]
}

extension ExpectationResult {
  /// The result of one about an entity that another store has.
  init(skipping expectation: Expectation) {
    name = expectation.name
    entity = expectation.entity
    (objects, isMet, isSkipped, keys) = (0, false, true, [])
    reason = "objects of \(expectation.entity) are in another store of the configuration"
  }

  /// The maximum number of keys listed.
  public static let shownKeys = 10
}

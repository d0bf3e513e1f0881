/// What came of an expectation of a mapping file.
public struct ExpectationResult: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The destination entity.
  public var entity: String
  /// The objects that were looked at.
  public var objects: Int64
  /// Whether it is met.
  public var isMet: Bool
  /// What was found instead; `nil` if it is met.
  public var reason: String?
  /// The keys of the first objects for which it is not met, in ascending order.
  public var keys: [Int64]

  /// The most keys that are named.
  public static let shownKeys = 10
}

/// What a synthetic store should hold.
public struct FixtureRequest: Hashable, Sendable {
  /// The number of objects of every entity, without those of its subentities; 0 where it is not named.
  public var rows: [String: Int64] = [:]
  /// From what everything is drawn.
  public var seed: UInt64 = 1
  /// How objects are drawn when relationships are filled.
  public var skew = Skew.uniform
  /// What is wrong on purpose.
  public var dirt = Dirt()
  /// The sizes of binary values in bytes, by `Entity.attribute`.
  public var sizes: [String: ClosedRange<Int>] = [:]
  /// The part of an optional attribute's values that are nil, by `Entity.attribute`.
  public var nilRates: [String: Double] = [:]
  /// The mean number of members of a many-to-many relationship, by `Entity.relationship`.
  public var links: [String: Double] = [:]

  /// A request for an empty store.
  public init() {}
}

/// A rule by which source objects that agree in some values become one destination object.
///
/// Entity mappings into the same entity by the same attributes share their objects.
public struct ObjectUniqueness: Hashable, Sendable {
  /// The source object whose values a destination object gets, and under whose key it is made.
  public enum Kept: String, Hashable, Sendable, CaseIterable {
    /// The first in the order of the entity mappings, then of the keys.
    case first
    /// The last in this order.
    case last
    /// The first; the others do not become the same object, but break a rule, so that a run stops or leaves
    /// them out.
    case quarantine
  }

  /// The attributes of the destination that must agree.
  public var attributes: [String]
  /// The source object whose values count where others differ.
  public var kept: Kept

  /// A rule for some attributes.
  public init(_ attributes: [String], keeping kept: Kept = .first) {
    self.attributes = attributes
    self.kept = kept
  }

  /// Whether objects of two mappings into the same entity are shared.
  package func isShared(with other: ObjectUniqueness) -> Bool {
    Set(attributes) == Set(other.attributes)
  }
}

/// What is wrong on purpose in a store, and how often.
public struct Dirt: Hashable, Sendable {
  /// What may be wrong.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// Values that a uniqueness constraint allows once occur again. The store has no unique index
    /// then, as one written before the constraint was made.
    case duplicates
    /// Required attributes are nil.
    case nulls
    /// To-one relationships lead to objects that are not there.
    case dangling
  }

  /// The part of the rows for which each rule is broken, from 0 to 1.
  public var rates: [Rule: Double]

  /// Dirt by rule.
  public init(_ rates: [Rule: Double] = [:]) { self.rates = rates }

  func rate(_ rule: Rule) -> Double { rates[rule] ?? 0 }
}

/// What a store has otherwise than the reference.
struct Difference: Hashable, Sendable {
  /// What differs.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An object is missing, or was not to be made, or has another entity or other values.
    case object
    /// An object refers to another one than it should, or to none.
    case link
    /// A key leads to no object, or stands in a row without the relationship.
    case stray
    /// Members stand in another order.
    case order
    /// The keys of an order are not 2048, 3072 and so on, or stand beside no key.
    case orderKey
    /// The entity number beside a key is not that of the object.
    case entityNumber
    /// A pair is stored in one direction only.
    case pair
    /// `Z_PRIMARYKEY` is behind the keys in use.
    case highestKey
    /// Objects break the rules of their model, or do not, unlike those of the reference.
    case rule
    /// A run failed.
    case failure
  }

  let kind: Kind
  let text: String
}

extension Difference: CustomStringConvertible {
  var description: String { "\(kind): \(text)" }
}

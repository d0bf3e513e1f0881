internal import BulkModel
internal import BulkSupport

/// The contents of a synthetic store.
public struct FixtureRequest: Hashable, Sendable {
  /// The number of objects of every entity, without those of its subentities; 0 if it is not named.
  public var rows: [String: Int64] = [:]
  /// The seed of all random numbers.
  public var seed: UInt64 = 1
  /// How objects are drawn to fill relationships.
  public var skew = Skew.uniform
  /// The fraction of the rows that have each deliberate fault, from 0 to 1.
  public var dirt: [Dirt: Double] = [:]
  /// The sizes of binary values in bytes, by `Entity.attribute`.
  public var sizes: [String: ClosedRange<Int>] = [:]
  /// The fraction of an optional attribute's values that are nil, by `Entity.attribute`.
  public var nilRates: [String: Double] = [:]
  /// The fraction of a binary attribute's values that are in files beside the store, by `Entity.attribute`.
  public var externalRates: [String: Double] = [:]
  /// The mean number of members of a many-to-many relationship, by `Entity.relationship`.
  public var links: [String: Double] = [:]

  /// A request for an empty store.
  public init() {}
}

/// The kinds of deliberate faults in a store.
public enum Dirt: String, Hashable, Sendable, CaseIterable {
  /// Values under a uniqueness constraint are repeated. The store then has no unique index, like one
  /// written before the constraint was added.
  case duplicates
  /// Required attributes are nil.
  case nulls
  /// To-one relationships refer to objects that do not exist.
  case dangling
}

/// How objects are drawn to fill relationships.
public enum Skew: String, Hashable, Sendable, CaseIterable {
  /// Every object is equally likely.
  case uniform
  /// A few objects are drawn very often: the object of rank k once for every k draws of the first.
  case zipf
}

extension Skew {
  /// A rank from 0 up to, but not including, a count, which must be positive.
  func draw(below count: Int64, _ random: inout RepeatableRandom) -> Int64 {
    switch self {
    case .uniform: return random.below(count)
    case .zipf:
      // The logarithm of a rank that follows Zipf's law with exponent 1 is uniformly distributed.
      let rank = Int64(exp(random.unit() * log(Double(count) + 1))) - 1
      return min(max(rank, 0), count - 1)
    }
  }
}

extension FixtureRequest {
  func check(against model: ManagedObjectModel) throws(FixtureError) {
    for name in rows.keys.sortedByCodeUnit() {
      guard let entity = model.entity(named: name) else {
        throw .unknown(name, what: "entity", nearest: model.entities.map(\.name))
      }
      if entity.isAbstract { throw .abstract(name) }
    }
    func check(
      _ names: some Sequence<String>,
      _ what: String,
      _ properties: (EntityDescription) -> [String]
    ) throws(FixtureError) {
      let known = model.entities.flatMap { entity in
        properties(entity).map { "\(entity.name).\($0)" }
      }
      for name in names.sortedByCodeUnit() where !known.contains(name) {
        throw .unknown(name, what: what, nearest: known)
      }
    }
    try check(Set(sizes.keys).union(nilRates.keys), "attribute") { $0.leaves.map(\.name) }
    try check(externalRates.keys, "attribute that allows external storage") {
      $0.leaves.filter(\.allowsExternalBinaryDataStorage).map(\.name)
    }
    try check(links.keys, "relationship") { $0.relationships.map(\.name) }
  }
}

/// Why a store cannot be made as requested.
public enum FixtureError: Error, Equatable, Sendable {
  /// Rows, bytes or links are requested for something that the model does not have.
  case unknown(String, what: String, nearest: [String])
  /// Rows are requested for an entity that has none of its own.
  case abstract(String)
  /// A file with the store's name already exists.
  case exists(String)
  /// The store cannot be written.
  case cannotWrite(String)
}

extension FixtureError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unknown(let name, let what, let nearest):
      "the model has no \(what) \(name)"
        + (nearest.isEmpty ? "" : "; it has \(nearest.joined(separator: ", "))")
    case .abstract(let name):
      "entity \(name) is abstract and has no objects of its own; name one of its subentities"
    case .exists(let path): "\(path) already exists and is not overwritten"
    case .cannotWrite(let reason): reason
    }
  }
}

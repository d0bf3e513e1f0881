internal import BulkModel
internal import BulkPlatform

/// The contents of a synthetic store.
public struct FixtureRequest: Hashable, Sendable {
  /// The number of objects of every entity, without those of its subentities; 0 if it is not named.
  public var rows: [String: Int64] = [:]
  /// The seed of all random numbers.
  public var seed: UInt64 = 1
  /// How objects are drawn to fill relationships.
  public var skew = Skew.uniform
  /// The deliberate faults and their frequency.
  public var dirt = Dirt()
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

/// Deliberate faults in a store, and their frequency.
public struct Dirt: Hashable, Sendable {
  /// The kinds of faults.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// Values under a uniqueness constraint are repeated. The store then has no unique index, like one
    /// written before the constraint was added.
    case duplicates
    /// Required attributes are nil.
    case nulls
    /// To-one relationships refer to objects that do not exist.
    case dangling
  }

  /// The fraction of the rows that violate each rule, from 0 to 1.
  public var rates: [Rule: Double]

  /// Faults of the given rules, each with its fraction of the rows.
  public init(_ rates: [Rule: Double] = [:]) { self.rates = rates }

  func rate(_ rule: Rule) -> Double { rates[rule] ?? 0 }
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
  /// Rejects names that the model does not have.
  func check(against model: ManagedObjectModel) throws(FixtureError) {
    for name in rows.keys.sortedByCodeUnit() {
      guard let entity = model.entity(named: name) else {
        throw .unknown(name, what: "entity", nearest: model.entities.map(\.name))
      }
      if entity.isAbstract { throw .abstract(name) }
    }
    let attributes = model.entities.flatMap { entity in
      entity.leaves.map { "\(entity.name).\($0.name)" }
    }
    let relationships = model.entities.flatMap { entity in
      entity.relationships.map { "\(entity.name).\($0.name)" }
    }
    let named = Set(sizes.keys).union(nilRates.keys)
    for name in named.sortedByCodeUnit() where !attributes.contains(name) {
      throw .unknown(name, what: "attribute", nearest: attributes)
    }
    let external = model.entities.flatMap { entity in
      entity.leaves.filter(\.allowsExternalBinaryDataStorage).map { "\(entity.name).\($0.name)" }
    }
    for name in externalRates.keys.sortedByCodeUnit() where !external.contains(name) {
      throw .unknown(name, what: "attribute that allows external storage", nearest: external)
    }
    for name in links.keys.sortedByCodeUnit() where !relationships.contains(name) {
      throw .unknown(name, what: "relationship", nearest: relationships)
    }
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

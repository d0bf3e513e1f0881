internal import BulkModel
internal import Foundation

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

/// How objects are drawn when relationships are filled.
public enum Skew: String, Hashable, Sendable, CaseIterable {
  /// Every object as often as any other.
  case uniform
  /// A few objects very often: the object of rank k once for k times of the first.
  case zipf
}

extension Skew {
  /// A rank from 0 up to, but not including, a count, which must be positive.
  func draw(below count: Int64, _ random: inout RepeatableRandom) -> Int64 {
    switch self {
    case .uniform: return random.below(count)
    case .zipf:
      // The logarithm of a rank that follows Zipf's law with exponent 1 is spread evenly.
      let rank = Int64(exp(random.unit() * log(Double(count) + 1))) - 1
      return min(max(rank, 0), count - 1)
    }
  }
}

/// Checks that what a request names is in the model.
struct RequestCheck {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  /// Refuses names that the model does not have.
  func check(_ request: FixtureRequest) throws(FixtureError) {
    for name in request.rows.keys.sortedByCodeUnit() {
      guard let entity = model.entity(named: name) else {
        throw .unknown(name, what: "entity", nearest: model.entities.map(\.name))
      }
      if entity.isAbstract { throw .abstract(name) }
    }
    let attributes = model.entities.flatMap { entity in
      entity.attributes.map { "\(entity.name).\($0.name)" }
    }
    let relationships = model.entities.flatMap { entity in
      entity.relationships.map { "\(entity.name).\($0.name)" }
    }
    let named = Set(request.sizes.keys).union(request.nilRates.keys)
    for name in named.sortedByCodeUnit() where !attributes.contains(name) {
      throw .unknown(name, what: "attribute", nearest: attributes)
    }
    for name in request.links.keys.sortedByCodeUnit() where !relationships.contains(name) {
      throw .unknown(name, what: "relationship", nearest: relationships)
    }
  }
}

/// Why a store cannot be made as it was asked for.
public enum FixtureError: Error, Equatable, Sendable {
  /// Rows, bytes or links are asked for of something that the model does not have.
  case unknown(String, what: String, nearest: [String])
  /// Rows are asked for of an entity that has none of its own.
  case abstract(String)
  /// There is something under the store's name already.
  case exists(String)
  /// The store cannot be written.
  case cannotWrite(String)
}

extension FixtureError: CustomStringConvertible {
  /// The fault in a sentence.
  public var description: String {
    switch self {
    case .unknown(let name, let what, let nearest):
      "the model has no \(what) \(name); it has \(nearest.joined(separator: ", "))"
    case .abstract(let name):
      "entity \(name) is abstract and has no objects of its own; name one of its subentities"
    case .exists(let path): "\(path) is there already and is not overwritten"
    case .cannotWrite(let reason): reason
    }
  }
}

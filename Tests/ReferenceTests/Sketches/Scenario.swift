/// A store, and the step by which it is migrated.
struct Scenario: Hashable, Sendable {
  var model: ModelSketch
  var objects: [ObjectSketch]
  var pairs: [PairSketch]
  var step: StepSketch
}

/// A step to another model by a mapping model.
struct StepSketch: Hashable, Sendable {
  var model: ModelSketch
  var mappings: [MappingSketch]
}

/// A row of the source's entity tables.
///
/// Keys lie in columns as a store has them, so that the two sides of a one-to-one may disagree and a
/// key may be dangling.
struct ObjectSketch: Hashable, Sendable {
  var entity: String
  var key: Int64
  var number: Int64?
  /// The keys in the columns of to-one relationships, and in those of to-many relationships without
  /// inverse that the object is a member of.
  var keys: [String: Int64]
  /// The places in the to-many relationships that these columns store.
  var positions: [String: Int64]

  init(
    _ entity: String,
    _ key: Int64,
    n number: Int64? = nil,
    _ keys: [String: Int64] = [:],
    positions: [String: Int64] = [:]
  ) {
    self.entity = entity
    self.key = key
    self.number = number
    self.keys = keys
    self.positions = positions
  }
}

/// A row of a join table of the source, as one of the two relationships sees it.
struct PairSketch: Hashable, Sendable {
  var relationship: String
  var owner: Int64
  var member: Int64
  /// The place among the owner's members.
  var position: Int64?
  /// The place of the owner among the member's owners.
  var ownerPosition: Int64?

  init(
    _ relationship: String,
    _ owner: Int64,
    _ member: Int64,
    position: Int64? = nil,
    ownerPosition: Int64? = nil
  ) {
    self.relationship = relationship
    self.owner = owner
    self.member = member
    self.position = position
    self.ownerPosition = ownerPosition
  }
}

/// The attributes by which an object tells what became of it.
///
/// `n` is a number for filters. `text` is unique among the objects of a source; the step copies it. `maker` tells the entity
/// mapping. `loud` is the text again, which a migration may compute by an expression that SQL cannot say.
struct Marks: Hashable, Sendable {
  var text: String
  /// The name of the mapping that made the object.
  var maker: String?
}

extension Marks: CustomStringConvertible {
  var description: String { maker.map { "\(text) by \($0)" } ?? text }
}

extension Marks: Comparable {
  static func < (one: Marks, other: Marks) -> Bool { one.description < other.description }
}

internal import BulkStore

/// A part of the source store.
enum SourcePart: Hashable, Sendable {
  /// The objects of an entity, without those of its subentities.
  case objects(of: String)
  /// The values of an attribute of an entity's objects that are not nil.
  case values(PropertyKey)
  /// The links of a relationship of an entity's objects to objects of some entities or, with `nil`, of any.
  case links(PropertyKey, to: [String]?)
}

/// The parts of the source store from which some contents of a version are made.
struct Provenance: Sendable {
  /// The parts; contents without any come from nothing in the source.
  private(set) var parts: [SourcePart]
  /// Whether all of the parts is present, each once.
  private(set) var isExact = true

  init(_ parts: [SourcePart] = []) { self.parts = parts }

  /// The same, possibly incomplete.
  var atMost: Provenance {
    var result = self
    result.isExact = false
    return result
  }

  mutating func add(_ other: Provenance) {
    parts += other.parts.filter { !parts.contains($0) }
    isExact = isExact && other.isExact
  }
}

internal import BulkStore

/// Something of the store that is read.
enum SourcePart: Hashable, Sendable {
  /// The objects of an entity, without those of its subentities.
  case objects(of: String)
  /// The values of an attribute of the objects of an entity, where they are not nil.
  case values(PropertyKey)
  /// The links of a relationship of the objects of an entity, to objects of some entities or, with `nil`,
  /// to any.
  case links(PropertyKey, to: [String]?)
}

/// Of which parts of the store that is read something of a version is made.
struct Provenance: Sendable {
  /// The parts; nothing of the source is in something without one.
  private(set) var parts: [SourcePart]
  /// Whether everything of the parts is there, each once.
  private(set) var isExact = true

  init(_ parts: [SourcePart] = []) { self.parts = parts }

  /// The same, of which some may be missing.
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

/// A reference between entities, because of which they are migrated in one pass.
package struct PassReference: Codable, Hashable, Sendable {
  /// What refers.
  package enum Kind: String, Codable, Hashable, Sendable {
    /// Entities of one hierarchy, whose objects share a table.
    case sharedTable
    /// A uniqueness constraint over the objects of a table.
    case uniqueness
    /// A relationship with its inverse.
    case relationship
    /// A value expression that asks for the objects of another entity mapping.
    case expression
  }

  /// What refers.
  package let kind: Kind
  /// The reference, such as `Book.authors ↔ Author.books`.
  package let name: String
  /// The root entities whose tables it connects; one for a reference within a table.
  package let roots: [String]
  /// The source entities of the parts into which the pass would fall if this reference alone were resolved
  /// afterwards through association tables; absent where it would stay together.
  package var parts: [[String]]?

  init(_ kind: Kind, _ name: String, roots: [String]) {
    self.kind = kind
    self.name = name
    self.roots = roots
  }
}

package import BulkModel

/// A value from the source that an expression needs for every row.
///
/// It belongs to an object: the source object of the row, or an element of a collection.
package struct SourceInput: Hashable, Sendable {
  /// What is at the end of the path.
  package enum Content: Hashable, Sendable {
    /// An attribute; for a composite one, the element at a path of names.
    case attribute(AttributeType, element: [String])
    /// An object of an entity; with an empty path, the object itself.
    case object(entity: String)
    /// The element for which an object is made; it is in no column.
    case element
    /// The objects of a to-many relationship to an entity.
    case objects(entity: String, isOrdered: Bool)
  }

  /// The names starting at the object: to-one relationships, then the attribute or the relationship that is
  /// read.
  package let path: [String]
  /// What is at the end of the path.
  package let content: Content
  /// The inputs of the object, or of each of the objects, at the end of the path.
  package let members: [SourceInput]

  /// The element for which an object is made.
  package static let element = SourceInput([], .element)

  package init(_ path: [String], _ content: Content, members: [SourceInput] = []) {
    self.path = path
    self.content = content
    self.members = members
  }
}

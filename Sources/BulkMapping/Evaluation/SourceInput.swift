package import BulkModel

/// Something of the source that an expression must be given for every row.
///
/// It hangs on an object: the source object of the row, or the element of a collection.
package struct SourceInput: Hashable, Sendable {
  /// What stands at the end of the path.
  package enum Content: Hashable, Sendable {
    /// An attribute; of a composite one the element at a path of names.
    case attribute(AttributeType, element: [String])
    /// An object of an entity, the start itself where the path is empty.
    case object(entity: String)
    /// The objects of a to-many relationship to an entity.
    case objects(entity: String, isOrdered: Bool)
  }

  /// The names from the object on: to-one relationships, then the attribute or the relationship
  /// that is wanted.
  package let path: [String]
  /// What stands there.
  package let content: Content
  /// What is asked of the object, or of each of the objects, that stands there.
  package let members: [SourceInput]

  package init(_ path: [String], _ content: Content, members: [SourceInput] = []) {
    self.path = path
    self.content = content
    self.members = members
  }
}

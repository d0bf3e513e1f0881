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

/// The inputs of one object, collected while an expression is compiled.
final class InputScope {
  private struct Draft {
    let path: [String]
    let content: SourceInput.Content
    let members: InputScope?
  }

  /// The entity of the object.
  let entity: EntityDescription
  private var drafts: [Draft] = []

  init(_ entity: EntityDescription) { self.entity = entity }

  /// The index of an attribute among the inputs.
  func attribute(_ path: [String], _ type: AttributeType, element: [String]) -> Int {
    index(path, .attribute(type, element: element), members: nil).index
  }

  /// The index of an object at the end of a path, and the scope of its own inputs.
  func object(_ path: [String], _ entity: EntityDescription) -> (index: Int, members: InputScope) {
    index(path, .object(entity: entity.name), members: entity)
  }

  /// The index of the objects of a to-many relationship, and the scope of the inputs of each.
  func objects(
    _ path: [String],
    _ entity: EntityDescription,
    isOrdered: Bool
  ) -> (index: Int, members: InputScope) {
    index(path, .objects(entity: entity.name, isOrdered: isOrdered), members: entity)
  }

  /// The index of the element for which an object is made.
  func element() -> Int { index([], .element, members: nil).index }

  /// All inputs in index order.
  var inputs: [SourceInput] {
    drafts.map { SourceInput($0.path, $0.content, members: $0.members?.inputs ?? []) }
  }

  private func index(
    _ path: [String],
    _ content: SourceInput.Content,
    members entity: EntityDescription?
  ) -> (index: Int, members: InputScope) {
    if let index = drafts.firstIndex(where: { $0.path == path && $0.content == content }) {
      return (index, drafts[index].members ?? self)
    }
    let members = entity.map { InputScope($0) }
    drafts.append(Draft(path: path, content: content, members: members))
    return (drafts.count - 1, members ?? self)
  }
}

package import BulkMapping

/// Why expressions cannot be tried.
package enum TrialRefusal: Error, Hashable, Sendable {
  /// A store has no objects of an entity.
  case unknownEntity(String, store: String, nearest: String?)
  /// An entity is abstract; the entities whose objects may be meant.
  case abstractEntity(String, subentities: [String])
  /// No entity mapping of a file has a name, a source or a destination of that name.
  case unknownMapping(String, file: String, known: [String])
  /// The expression cannot be evaluated for an entity.
  case expression(String, entity: String, ExpressionFault)
  /// The predicate cannot be evaluated for any of the entities.
  case predicate(String, entity: String, ExpressionFault)
}

extension TrialRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownEntity(let name, let store, let nearest):
      "the model of \(store) has no entity \(name)"
        + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .abstractEntity(let name, let others):
      "entity \(name) is abstract and has no objects; name one of \(others.joined(separator: ", "))"
    case .unknownMapping(let name, let file, let known):
      "\(file) has no entity mapping \(name), and none from or to such an entity; it has "
        + (known.isEmpty ? "none" : known.joined(separator: ", "))
    case .expression(let text, let entity, let fault):
      "the expression \(text) cannot be evaluated for \(entity): \(fault)"
    case .predicate(let text, let entity, let fault):
      "--where: \(text) cannot be evaluated for \(entity): \(fault)"
    }
  }
}

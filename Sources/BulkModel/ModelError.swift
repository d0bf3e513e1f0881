/// An error in a managed object model or its file.
public enum ModelError: Error, Equatable, Sendable {
  case entityWithoutName
  /// The name of an entity or of one of its properties contains a NUL, which would end it in SQLite.
  case nameWithNUL(entity: String)
  case duplicateEntity(String)
  case missingSuperentity(String, entity: String)
  case cyclicInheritance(String)
  case inheritanceTooDeep(String, limit: Int)
  case propertyWithoutName(entity: String)
  /// Two properties of an entity, own or inherited, have the same name.
  case duplicateProperty(String, entity: String)
  case missingDestination(String, relationship: String, entity: String)
  case missingInverse(String, destination: String, relationship: String, entity: String)
  case unreadable(path: String, reason: String)
  case notAModel(path: String, reason: String)
  /// A model has no configuration with a name; those that it has, in code-unit order.
  case missingConfiguration(String, path: String, known: [String])
  case invalid(path: String, place: String, reason: String)
}

extension ModelError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .entityWithoutName: "the model has an entity without a name"
    case .nameWithNUL(let entity):
      "entity \(entity.debugDescription) or one of its properties has a name with a NUL in it"
    case .duplicateEntity(let name): "the model has two entities named \(name)"
    case .missingSuperentity(let name, let entity):
      "entity \(entity) inherits from \(name), which the model does not have"
    case .cyclicInheritance(let entity): "entity \(entity) inherits from itself"
    case .inheritanceTooDeep(let entity, let limit):
      "entity \(entity) inherits through more than \(limit) entities"
    case .propertyWithoutName(let entity): "entity \(entity) has a property without a name"
    case .duplicateProperty(let name, let entity):
      "entity \(entity) has two properties named \(name), own or inherited"
    case .missingDestination(let name, let relationship, let entity):
      "\(entity).\(relationship) leads to entity \(name), which the model does not have"
    case .missingInverse(let name, let destination, let relationship, let entity):
      "\(entity).\(relationship) has the inverse \(destination).\(name), which the model does not have"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notAModel(let path, let reason): "\(path) is not a managed object model: \(reason)"
    case .missingConfiguration(let name, let path, let known):
      "\(path) has no configuration \(name)"
        + (known.isEmpty ? ", nor any other" : "; it has \(known.joined(separator: ", "))")
    case .invalid(let path, let place, let reason): "\(path): \(place): \(reason)"
    }
  }
}

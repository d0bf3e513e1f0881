package import BulkCoding
package import BulkModel

/// Why an expression or a predicate cannot be evaluated, detected before any row is read.
package enum ExpressionFault: Error, Hashable, Sendable {
  /// An entity has no property with a name.
  case unknownKey(String, entity: String, nearest: String?)
  /// A property is transient.
  case transientKey(String, entity: String)
  /// A key is read from a value that is not an object.
  case keyOfValue(String, ExpressionType)
  /// A key path names a collection operator that Core Data does not have.
  case unknownOperator(String, nearest: String?)
  /// A variable is not defined.
  case unknownVariable(String, nearest: String?)
  /// A variable is available only to the migration manager.
  case unsupportedVariable(String)
  /// The expression calls the migration manager; the engine handles that, not an expression.
  case needsManager(selector: String)
  /// The expression calls the entity migration policy; the engine handles that, not an expression.
  case needsPolicy(selector: String)
  /// A message to another object, or a predefined function that is not supported.
  case unsupportedFunction(String, nearest: String?)
  /// The class of a value has no method of a selector that other classes have.
  case noMethod(String, of: ExpressionType)
  /// A form of expression that cannot be evaluated row by row.
  case unsupportedExpression(String)
  /// A function with too few or too many arguments.
  case wrongArgumentCount(function: String, found: Int, expected: Int)
  /// A function or operator gets a value of a type that it does not accept.
  case wrongType(of: String, found: ExpressionType, expected: String)
  /// `CAST` does not know the type.
  case unknownCast(String, nearest: String?)
  /// The pattern of `MATCHES` is not supported.
  case badPattern(String, RegularExpressionFault)
  /// A constant part of the expression fails in every row.
  case alwaysFails(String)
  /// The value has a type that the attribute does not accept.
  case wrongAttributeType(attribute: String, AttributeType, found: ExpressionType)
  /// Operations are nested too deeply.
  case tooDeep(limit: Int)
}

extension ExpressionFault: CustomStringConvertible {
  /// The error as a sentence.
  package var description: String {
    switch self {
    case .unknownKey(let key, let entity, let nearest):
      "entity \(entity) has no property \(key)\(Self.suggestion(nearest))"
    case .transientKey(let key, let entity):
      "property \(key) of entity \(entity) is transient, so the store does not hold it"
    case .keyOfValue(let key, let type): "\(key) is read from \(type), which has no such key"
    case .unknownOperator(let name, let nearest):
      "there is no collection operator \(name)\(Self.suggestion(nearest))"
    case .unknownVariable(let name, let nearest):
      "nothing gives $\(name) a value\(Self.suggestion(nearest.map { "$" + $0 }))"
    case .unsupportedVariable(let name):
      "$\(name) has no value in an expression of a row\(Self.hint(ofVariable: name))"
    case .needsManager(let selector): "\(selector) must be answered by the migration manager"
    case .needsPolicy(let selector): "\(selector) must be answered by the entity migration policy"
    case .unsupportedFunction(let name, let nearest):
      "\(name) cannot be called\(Self.suggestion(nearest))"
    case .noMethod(let selector, let type):
      "\(selector) is sent to \(type), which does not respond to it"
    case .unsupportedExpression(let what): "\(what) cannot be evaluated row by row"
    case .wrongArgumentCount(let function, let found, let expected):
      "\(function) takes \(expected) argument\(expected == 1 ? "" : "s"), not \(found)"
    case .wrongType(let place, let found, let expected):
      "\(place) takes \(expected), not \(found)"
    case .unknownCast(let type, let nearest):
      "CAST knows no type \(type)\(Self.suggestion(nearest))"
    case .badPattern(let pattern, let fault): "\(pattern) \(fault)"
    case .alwaysFails(let reason): reason
    case .wrongAttributeType(let attribute, let type, let found):
      "attribute \(attribute) is \(type.name) and cannot take \(found)\(Self.remedy(found))"
    case .tooDeep(let limit): "more than \(limit) operations are nested"
    }
  }

  /// What may be written instead of a variable.
  private static func hint(ofVariable name: String) -> String {
    switch name {
    case "entityMapping":
      "; ask for one of its keys: \(MappingVariables.entityMappingKeys.joined(separator: ", "))"
    case "propertyMapping":
      "; ask for one of its keys: \(MappingVariables.propertyMappingKeys.joined(separator: ", "))"
    case "destination": "; repeat the expression that gives the destination's value"
    case "manager", "entityPolicy": "; it answers as the receiver of FUNCTION"
    default: ""
    }
  }

  /// What makes a value of a type one that an attribute can take.
  private static func remedy(_ found: ExpressionType) -> String {
    switch found {
    case .collection(of: .object): "; ask for a key of them, and for one value, such as @count"
    case .collection:
      "; take one element, as in [FIRST], or join them with componentsJoinedByString:"
    case .object: "; ask for one of its keys"
    case .null, .boolean, .integer, .double, .decimal, .number, .string, .date, .binary,
      .transformable, .uuid, .uri, .composite, .unknown:
      "; use CAST"
    }
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean \($0)?" } ?? ""
  }
}

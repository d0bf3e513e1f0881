package import BulkSupport
package import BulkModel

/// Why an expression or a predicate cannot be evaluated, detected before any row is read.
package enum ExpressionFault: Error, Hashable, Sendable {
  case unknownKey(String, entity: String, hint: String)
  case transientKey(String, entity: String)
  /// A key is read from a value that is not an object.
  case keyOfValue(String, ExpressionType)
  /// A key path names a collection operator that Core Data does not have.
  case unknownOperator(String, nearest: String?)
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
  case unsupportedExpression(String)
  case wrongArgumentCount(function: String, found: Int, expected: Int)
  case wrongType(of: String, found: ExpressionType, expected: String)
  case unknownCast(String, nearest: String?)
  case badPattern(String, RegularExpressionFault)
  case alwaysFails(String)
  case wrongAttributeType(attribute: String, AttributeType, found: ExpressionType)
  case tooDeep(limit: Int)
}

extension ExpressionFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownKey(let key, let entity, let hint):
      "entity \(entity) has no property \(key)\(hint)"
    case .transientKey(let key, let entity):
      "property \(key) of entity \(entity) is transient, so the store does not hold it"
    case .keyOfValue(let key, let type): "\(key) is read from \(type), which has no such key"
    case .unknownOperator(let name, let nearest):
      "unknown collection operator \(name)\(Self.suggestion(nearest))"
    case .unknownVariable(ElementVariable.name, _):
      "only values of attributes know $element, in an entity mapping that has forEach"
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
    case .wrongType(let subject, let found, let expected):
      "\(subject) takes \(expected), not \(found)"
    case .unknownCast(let type, let nearest):
      "CAST knows no type \(type)\(Self.suggestion(nearest))"
    case .badPattern(let pattern, let fault): "\(pattern) \(fault)"
    case .alwaysFails(let reason): reason
    case .wrongAttributeType(let attribute, let type, let found):
      "attribute \(attribute) is \(type.name) and cannot take \(found)\(Self.remedy(found, for: type))"
    case .tooDeep(let limit): "more than \(limit) operations are nested"
    }
  }

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

  private static func remedy(_ found: ExpressionType, for type: AttributeType) -> String {
    if case .object = found { return "; ask for one of its keys" }
    if case .object = found.element {
      return "; ask for a key of them, and for one value, such as @count"
    }
    if found.isCollection {
      return "; take one element, as in [FIRST], or join them with componentsJoinedByString:"
    }
    let cast = CastType(for: type).flatMap { $0.alwaysSucceeds(from: found) }
    return cast == nil ? "; no CAST makes one of the other" : "; use CAST"
  }

  static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean \($0)?" } ?? ""
  }

  /// Whether a name is not known where it stands, whatever computes the rest.
  var isOfName: Bool {
    switch self {
    case .unknownKey, .keyOfValue, .unknownOperator, .unknownVariable: true
    default: false
    }
  }

  /// Whether it is a name, or a function, method or type that is not known.
  var isUnknown: Bool {
    switch self {
    case .unsupportedFunction, .noMethod, .unknownCast: true
    default: isOfName
    }
  }

  /// The word of an expression's text to which the error refers; empty for the whole expression.
  var word: String {
    switch self {
    case .unknownKey(let name, _, _), .transientKey(let name, _), .keyOfValue(let name, _),
      .unknownOperator(let name, _), .unknownCast(let name, _), .badPattern(let name, _):
      name
    case .unknownVariable(let name, _), .unsupportedVariable(let name): "$" + name
    case .needsManager(let selector), .needsPolicy(let selector): selector
    case .noMethod(let selector, _): Self.written(selector)
    case .unsupportedFunction(let name, _), .wrongArgumentCount(let name, _, _):
      Self.written(name)
    case .wrongType(let subject, _, _): Self.written(subject)
    case .unsupportedExpression, .alwaysFails, .wrongAttributeType, .tooDeep: ""
    }
  }

  /// The operators that denote functions in a text.
  private static let signs = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "raise:toPower:": "**", "[ ]": "[",
  ]

  /// The text form of a function or an operator: its sign, or the beginning of its name.
  private static func written(_ name: String) -> String {
    signs[name] ?? String(name.prefix { $0 != ":" && $0 != " " })
  }
}

/// A possible failure of a valid expression in individual rows.
package enum RunTimeRisk: Hashable, Sendable {
  case overflow(String)
  case divisionByZero(String)
  case cast(to: String)
  case index
  case range(attribute: String, type: String)
  case missingValue(attribute: String)
  case nilArgument(String)
  case method(String)
  case transformer(String)
  case type(String)
}

extension RunTimeRisk: CustomStringConvertible {
  package var description: String {
    switch self {
    case .overflow(let function): "the result of \(function) may not fit into 64 bits"
    case .divisionByZero(let function): "\(function) may divide by zero"
    case .cast(let type): "a value may not be castable to \(type)"
    case .index: "an index may be outside of its collection"
    case .range(let attribute, let type):
      "a value may be outside of the range of \(attribute), which is \(type)"
    case .missingValue(let attribute): "\(attribute) must have a value and may get none"
    case .nilArgument(let selector): "\(selector) may get nil as an argument, which it refuses"
    case .method(let selector): "\(selector) may refuse a value"
    case .transformer(let name): "transformer \(name) may refuse a value"
    case .type(let subject): "\(subject) may get a value of the wrong type"
    }
  }
}

/// Why an operation has no result for a row.
package struct EvaluationFailure: Error, Hashable {
  package let message: String

  init(_ message: String) { self.message = message }

  /// The failure that a row of a table has thrown; its closures have no typed errors, but throw nothing else.
  init(_ error: any Error) { self = error as? EvaluationFailure ?? EvaluationFailure("\(error)") }

  static func overflow(_ selector: String) -> EvaluationFailure {
    EvaluationFailure("the result of \(selector) does not fit into 64 bits")
  }

  static func decimal(_ selector: String) -> EvaluationFailure {
    EvaluationFailure("\(selector) has no decimal result that 38 digits can hold")
  }

  static func division(_ selector: String) -> EvaluationFailure {
    EvaluationFailure("\(selector) divides by zero")
  }
}

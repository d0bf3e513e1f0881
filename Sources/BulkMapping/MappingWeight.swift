internal import BulkModel

/// The size of a mapping model's expressions.
package struct MappingWeight: Hashable, Sendable {
  /// The number of nodes in all expressions: operators, functions, paths and constants.
  package private(set) var parts: Int64 = 0
  /// The size in bytes of texts and of other constants that are longer than a number.
  package private(set) var textBytes: Int64 = 0

  package init(of model: MappingModel) {
    for mapping in model.entityMappings {
      if let filter = mapping.filter { add(filter) }
      if let elements = mapping.elements { add(elements) }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        if let expression = property.valueExpression { add(expression) }
      }
    }
  }

  private mutating func add(_ expression: ValueExpression) {
    parts += 1
    switch expression {
    case .constant(let value): add(value)
    case .classConstant(let name), .variable(let name): add(name)
    case .evaluatedObject, .symbol: break
    case .keyPath(let path, of: let target):
      add(path)
      add(target)
    case .function(let target, let selector, let arguments):
      add(selector)
      for operand in [target] + arguments { add(operand) }
    case .predefined(_, let arguments): for argument in arguments { add(argument) }
    case .aggregate(let elements): for element in elements { add(element) }
    case .set(_, let first, let second):
      add(first)
      add(second)
    case .subquery(let collection, let variable, let predicate):
      add(variable)
      add(collection)
      add(predicate)
    case .ternary(let condition, let then, let otherwise):
      add(condition)
      add(then)
      add(otherwise)
    case .fetch(let request, let context, _):
      add(request)
      add(context)
    case .assignment(_, let value): add(value)
    }
  }

  private mutating func add(_ predicate: ValuePredicate) {
    parts += 1
    switch predicate {
    case .constant: break
    case .comparison(let comparison):
      add(comparison.left)
      add(comparison.right)
    case .not(let part): add(part)
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    }
  }

  private mutating func add(_ value: AttributeValue) {
    switch value {
    case .string(let text), .uri(let text): add(text)
    case .binary(let bytes): textBytes += Int64(bytes.count)
    case .null, .boolean, .integer, .double, .decimal, .date, .uuid: break
    }
  }

  private mutating func add(_ text: String) { textBytes += Int64(text.utf8.count) }
}

internal import BulkModel

/// Finds reasons why the filter and the values of an entity mapping cannot be evaluated.
///
/// It compiles them as a plan does, so that checking a file reports everything that a plan would refuse.
struct EvaluationCheck {
  enum Subject: Hashable, CustomStringConvertible {
    case filter
    case elements
    case attribute(String)
    case relationship(String)

    var description: String {
      switch self {
      case .filter: "filter"
      case .elements: "forEach"
      case .attribute(let name): "attribute \(name)"
      case .relationship(let name): "relationship \(name)"
      }
    }
  }

  private let mapping: EntityMapping
  private let models: ModelPair
  private let entity: EntityDescription
  private let text: (Subject) -> CheckedText

  init(
    _ mapping: EntityMapping,
    from entity: EntityDescription,
    between models: ModelPair,
    _ text: @escaping (Subject) -> CheckedText
  ) {
    (self.mapping, self.entity, self.models, self.text) = (mapping, entity, models, text)
  }

  func check(_ target: EntityDescription) {
    var element: ExpressionType?
    if let filter = mapping.filter {
      compiling(.filter) { () throws(ExpressionFault) in
        _ = try PredicateProgram(filter, of: entity, in: models.source)
      }
    }
    if let elements = mapping.elements {
      element = .unknown
      compiling(.elements) { () throws(ExpressionFault) in
        element = try ExpressionProgram(elements: elements, of: entity, in: models.source)
          .elementType
      }
    }
    for property in mapping.attributeMappings {
      let attribute = models.destination.leaf(named: property.name, of: target)?.attribute
      // Properties without a column get no value.
      guard let attribute, let value = mapping.boundValue(of: property), !attribute.isDerived,
        !attribute.isTransient
      else { continue }
      check(value, of: attribute, element)
      if !hasPolicy,
        let change = TransformerMapping(models: models).change(of: property, in: mapping)
      {
        let reason =
          "transformer \(change.reader) wrote the bytes, and \(change.writer) is to read them; give the "
          + "entity mapping a policy that converts them"
        fault(.attribute(property.name), "", reason)
      }
    }
    for property in mapping.relationshipMappings {
      let found = models.destination.relationship(named: property.name, of: target)?.relationship
      if let found, let value = mapping.boundValue(of: property), !found.isTransient {
        check(value, of: found)
      }
    }
  }

  private func compiling(_ subject: Subject, _ body: () throws(ExpressionFault) -> Void) {
    do throws(ExpressionFault) {
      try body()
    } catch {
      text(subject).error(error.word, error.description)
    }
  }

  private func fault(_ subject: Subject, _ word: String, _ reason: String) {
    text(subject).error(word, reason)
  }

  private var hasPolicy: Bool { mapping.entityMigrationPolicyClassName != nil }

  private func check(
    _ value: ValueExpression,
    of attribute: AttributeDescription,
    _ element: ExpressionType?
  ) {
    let subject = Subject.attribute(attribute.name)
    var value = value
    switch AttributeMeaning(value) {
    case .policy(let selector, let arguments):
      guard hasPolicy else { return fault(subject, selector, Self.withoutPolicy(selector)) }
      return compiling(subject) { () throws(ExpressionFault) in
        for argument in arguments {
          _ = try ExpressionProgram(argument, of: entity, in: models.source)
        }
      }
    case .copyOrDefault(let name): value = InferredValue.copy(name)
    case .defaultValue, .copy, .constant, .expression: break
    }
    compiling(subject) { () throws(ExpressionFault) in
      let program = try ExpressionProgram(
        value,
        of: entity,
        in: models.source,
        element: element
      )
      _ = try AttributeConversion(of: program.root, to: attribute)
      if [.double, .float, .decimal].contains(attribute.attributeType), program.root.dividesIntegers
      {
        let reason =
          "it divides integers, so the quotient has no fraction; multiply the dividend by 1.0 if it should"
        text(subject).advise("/", reason)
      }
    }
  }

  private func check(_ value: ValueExpression, of relationship: RelationshipDescription) {
    let subject = Subject.relationship(relationship.name)
    switch RelationshipMeaning(value) {
    case .instances, .nothing: break
    case .policy(let selector, _):
      if !hasPolicy { fault(subject, selector, Self.withoutPolicy(selector)) }
    case .unsupported(let reason):
      if case .function(_, let selector, _) = value.collectionOfFirst ?? value {
        return fault(subject, selector, reason)
      }
      fault(subject, "", reason)
    }
  }

  private static func withoutPolicy(_ selector: String) -> String {
    "\(selector) is sent to a policy, but the mapping has none"
  }
}

extension ExpressionNode {
  /// Whether a quotient of integers is the value or a part of its computation.
  fileprivate var dividesIntegers: Bool {
    switch operation {
    case .call(let function, let operands):
      let isOfIntegers = operands.allSatisfy { $0.type.integerRange != nil }
      return function.selector == "divide:by:" && isOfIntegers
        || operands.contains(where: \.dividesIntegers)
    case .ternary(_, let then, let otherwise):
      return then.dividesIntegers || otherwise.dividesIntegers
    case .cast(let operand, _): return operand.dividesIntegers
    case .constant, .input, .map, .of, .message, .transformed, .aggregate, .set, .subquery, .symbol,
      .now, .random, .uuid, .rowKey:
      return false
    }
  }
}

extension ExpressionFault {
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
    case .wrongType(let place, _, _): Self.written(place)
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

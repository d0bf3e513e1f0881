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

  struct Fault: Hashable {
    let subject: Subject
    /// The word in the expression's text to which the error refers.
    let word: String
    let reason: String
  }

  private let mapping: EntityMapping
  private let source: ManagedObjectModel
  private let entity: EntityDescription
  /// The type of the elements that become objects; `nil` if there are none.
  private var element: ExpressionType?
  private(set) var faults: [Fault] = []

  /// Checks an entity mapping between two entities.
  init(
    _ mapping: EntityMapping,
    from entity: EntityDescription,
    to target: EntityDescription,
    between models: ModelPair
  ) {
    self.mapping = mapping
    source = models.source
    self.entity = entity
    checkFilter()
    checkElements()
    for property in mapping.attributeMappings {
      let attribute = models.destination.leaf(named: property.name, of: target)?.attribute
      // Properties without a column get no value.
      guard let attribute, let value = mapping.boundValue(of: property), !attribute.isDerived,
        !attribute.isTransient
      else { continue }
      check(value, of: attribute)
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

  private mutating func fault(_ subject: Subject, _ word: String, _ reason: String) {
    faults.append(Fault(subject: subject, word: word, reason: reason))
  }

  private var hasPolicy: Bool { mapping.entityMigrationPolicyClassName != nil }

  private mutating func checkFilter() {
    guard let filter = mapping.filter else { return }
    do throws(ExpressionFault) {
      _ = try PredicateProgram(filter, of: entity, in: source)
    } catch {
      fault(.filter, error.word, error.description)
    }
  }

  private mutating func checkElements() {
    guard let elements = mapping.elements else { return }
    element = .unknown
    do throws(ExpressionFault) {
      element = try ExpressionProgram(elements: elements, of: entity, in: source).elementType
    } catch {
      fault(.elements, error.word, error.description)
    }
  }

  private mutating func check(_ value: ValueExpression, of attribute: AttributeDescription) {
    let subject = Subject.attribute(attribute.name)
    do throws(ExpressionFault) {
      switch AttributeMeaning(value) {
      case .policy(let selector, let arguments):
        guard hasPolicy else { return fault(subject, selector, Self.withoutPolicy(selector)) }
        for argument in arguments { _ = try ExpressionProgram(argument, of: entity, in: source) }
      case .copyOrDefault(let name): try compile(InferredValue.copy(name), for: attribute)
      case .defaultValue, .copy, .constant, .expression: try compile(value, for: attribute)
      }
    } catch {
      fault(subject, error.word, error.description)
    }
  }

  private func compile(
    _ value: ValueExpression,
    for attribute: AttributeDescription
  ) throws(ExpressionFault) {
    let program = try ExpressionProgram(value, of: entity, in: source, element: element)
    _ = try AttributeConversion(of: program.root, to: attribute)
  }

  private mutating func check(_ value: ValueExpression, of relationship: RelationshipDescription) {
    if let collection = value.collectionOfFirst { return check(collection, of: relationship) }
    let subject = Subject.relationship(relationship.name)
    switch value {
    case .constant(.null): return
    case .function(target: .variable("entityPolicy"), let selector, _):
      if !hasPolicy { fault(subject, selector, Self.withoutPolicy(selector)) }
    case .function(target: .variable("manager"), let selector, let arguments):
      check(selector, arguments, subject)
    case .constant, .classConstant, .evaluatedObject, .variable, .keyPath, .function, .predefined,
      .symbol, .aggregate, .set, .subquery, .ternary, .fetch:
      guard case .unsupported(let reason) = RelationshipMeaning(value) else { return }
      fault(subject, "", reason)
    }
  }

  /// Checks a call of the manager, which has two functions.
  private mutating func check(
    _ selector: String,
    _ arguments: [ValueExpression],
    _ subject: Subject
  ) {
    let known = ManagerSelector.givingInstances.map(\.rawValue)
    guard known.contains(selector) else {
      let hint = MappingResolver.hint(selector, among: known)
      return fault(subject, selector, "the migration manager has no selector \(selector)\(hint)")
    }
    guard arguments.count == 2, case .constant(.string) = arguments[0] else {
      return fault(subject, selector, "\(selector) takes a name and source objects")
    }
  }

  private static func withoutPolicy(_ selector: String) -> String {
    "\(selector) is sent to a policy, but the mapping has none"
  }
}

internal import BulkModel

/// Validates the names in an expression against the source model, and the kind of its value against the
/// destination property.
struct ExpressionCheck {
  /// The number of errors after which no more of an expression is checked.
  private static let faultLimit = 50

  /// The kind of an expression's value, if it can be determined without any object.
  enum Shape {
    case unknown
    case objects(EntityDescription)
    /// Objects of the destination, with the mapping that made them if it is named.
    case destinationObjects(EntityMapping?)
    /// A value of an attribute, or several.
    case attribute(AttributeDescription)
    case constant(AttributeValue)
  }

  /// A property of the source that an expression reads.
  struct SourceProperty: Hashable {
    let entity: String
    let name: String
  }

  let models: ModelPair
  /// The entity of `$source`; `nil` if the mapping has no source.
  let entity: EntityDescription?
  let mappings: [EntityMapping]
  /// Whether `$element` is an element of the mapping's collection.
  var definesElement = true
  /// The text of the expression; `nil` where only its reads are wanted.
  var text: CheckedText?
  private var faultCount = 0
  private(set) var reads: Set<SourceProperty> = []
  private var evaluated: Shape?
  /// The variables of subqueries.
  private var variables: [String: Shape] = [:]

  init(
    between models: ModelPair,
    entity: EntityDescription?,
    mappings: [EntityMapping]
  ) {
    self.models = models
    self.entity = entity
    self.mappings = mappings
  }

  mutating func fault(_ word: String, _ reason: String) {
    faultCount += 1
    text?.error(word, reason)
  }

  mutating func noteReading(_ name: String, of entity: EntityDescription) {
    reads.insert(SourceProperty(entity: entity.name, name: name))
  }

  func warn(_ reason: String) { text?.warn(reason) }

  mutating func checkFilter(_ filter: ValuePredicate) {
    evaluated = entity.map { .objects($0) }
    visit(filter)
  }

  mutating func checkValue(_ value: ValueExpression, for attribute: AttributeDescription) {
    switch visit(value) {
    case .objects, .destinationObjects:
      fault("", "it gives objects, which an attribute cannot hold")
    case .constant(let constant):
      guard let reason = attribute.attributeType.objection(to: constant) else { return }
      let type = attribute.attributeType.name
      fault("", "\(ValueExpression.constant(constant)) \(reason) of type \(type)")
    case .attribute(let from): if let reason = attribute.typeChange(from: from) { warn(reason) }
    case .unknown: break
    }
  }

  mutating func checkValue(_ value: ValueExpression, for relationship: RelationshipDescription) {
    if relationship.isToMany, value.takesFirst {
      fault("", "it takes one of several objects, but the relationship leads to many")
    }
    switch visit(value) {
    case .destinationObjects(nil), .unknown, .constant(.null): break
    case .attribute, .constant:
      fault("", "it gives a plain value, but a relationship holds objects")
    case .objects:
      fault(
        "",
        "it gives objects of the source; write FUNCTION($manager, "
          + "\"\(ManagerSelector.instancesOfMapping.rawValue)\", \"…\", \(value)) for what "
          + "became of them"
      )
    case .destinationObjects(let mapping?): compare(mapping, relationship)
    }
  }

  private mutating func compare(
    _ mapping: EntityMapping,
    _ relationship: RelationshipDescription
  ) {
    guard
      let made = models.destination.entity(named: mapping.destinationEntityName),
      !models.destination.lineage(of: made).contains(where: {
        $0.name == relationship.destinationEntityName
      })
    else { return }
    warn(
      "entity mapping \(mapping.name) makes objects of \(made.name), but the relationship leads to "
        + "\(relationship.destinationEntityName)"
    )
  }

  /// Checks an expression recursively.
  @discardableResult
  mutating func visit(_ value: ValueExpression) -> Shape {
    guard faultCount < Self.faultLimit else { return .unknown }
    switch value {
    case .constant(let constant): return .constant(constant)
    case .classConstant, .symbol: return .unknown
    case .evaluatedObject: return selfShape("SELF")
    case .variable(let name): return variable(name)
    case .keyPath(let path, of: .evaluatedObject):
      guard case .objects(let entity) = selfShape(path) else { return .unknown }
      return follow(path, from: entity)
    case .keyPath(let path, let operand): return follow(path, of: operand)
    case .function(let target, let selector, let arguments):
      return call(selector, target, arguments)
    case .predefined(let selector, let arguments): return predefined(selector, arguments)
    case .aggregate(let elements):
      for element in elements { visit(element) }
      return .unknown
    case .set(_, let first, let second):
      let shape = visit(first)
      visit(second)
      return shape
    case .subquery(let collection, let variable, let predicate):
      return subquery(collection, variable, predicate)
    case .ternary(let predicate, let then, let otherwise):
      visit(predicate)
      let shape = visit(then)
      let other = visit(otherwise)
      guard case .constant = shape else { return shape }
      if case .constant = other { return .unknown }
      return other
    case .fetch(let request, let context, _):
      visit(request)
      visit(context)
      warn("it fetches objects by itself")
      return .unknown
    }
  }

  mutating func visit(_ predicate: ValuePredicate) {
    for child in predicate.children { visit(child) }
  }

  private mutating func selfShape(_ word: String) -> Shape {
    if let evaluated { return evaluated }
    let key = word.prefix { $0 != "." }
    guard let entity, models.source.has(String(key), in: entity) else {
      warn("\(word) stands alone and is of no object; write it in quotation marks if it is a text")
      return .unknown
    }
    warn("\(word) stands alone, and is read as $source.\(word); better write that")
    return .objects(entity)
  }

  private mutating func variable(_ name: String) -> Shape {
    if let shape = variables[name] { return shape }
    let known =
      ["source"] + MappingVariables.ofMigration + (definesElement ? [ElementVariable.name] : [])
    guard known.contains(name) else {
      let hint = MappingResolver.hint("$" + name, among: known.map { "$" + $0 })
      let reason =
        name == ElementVariable.name
        ? "only values of attributes know $element, in an entity mapping that has forEach"
        : "unknown variable $\(name)\(hint)"
      fault("$" + name, reason)
      return .unknown
    }
    guard evaluated == nil else {
      fault("$" + name, "a filter knows no variables; write the key alone")
      return .unknown
    }
    guard name == "source" else {
      return name == "destination" ? .destinationObjects(nil) : .unknown
    }
    guard let entity else {
      fault("$source", "there is no $source, because the entity mapping has no source")
      return .unknown
    }
    return .objects(entity)
  }

  private mutating func follow(_ path: String, of operand: ValueExpression) -> Shape {
    switch visit(operand) {
    case .objects(let entity): return follow(path, from: entity)
    case .attribute(let attribute): return beyond(attribute, path)
    case .unknown, .destinationObjects, .constant: return .unknown
    }
  }

  private mutating func predefined(_ selector: String, _ arguments: [ValueExpression]) -> Shape {
    let shapes = arguments.map { visit($0) }
    switch selector {
    case "objectFrom:withIndex:" where arguments.last == .symbol(.size): return .unknown
    case "objectFrom:withIndex:", "noindex:": return shapes.first ?? .unknown
    default: return .unknown
    }
  }

  private mutating func subquery(
    _ collection: ValueExpression,
    _ variable: String,
    _ predicate: ValuePredicate
  ) -> Shape {
    let shape = visit(collection)
    let outer = variables.updateValue(shape, forKey: variable)
    visit(predicate)
    variables[variable] = outer
    return shape
  }
}

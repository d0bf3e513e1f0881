internal import BulkModel

/// Finds what a plan would refuse in the filter and the values of an entity mapping, and what is perhaps not intended.
///
/// It compiles them as a plan does.
struct ValueCheck {
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

    /// The name of the property, or the key in a mapping file.
    var name: String {
      switch self {
      case .filter, .elements: description
      case .attribute(let name), .relationship(let name): name
      }
    }
  }

  private let mapping: EntityMapping
  private let entity: EntityDescription
  /// All entity mappings.
  private let mappings: [EntityMapping]
  private let models: ModelPair
  private let text: (Subject) -> CheckedText
  /// Whether values of attributes know `$element`.
  var definesElement = false

  /// A check of an entity mapping from an entity.
  init(
    _ mapping: EntityMapping,
    from entity: EntityDescription,
    among mappings: [EntityMapping],
    between models: ModelPair,
    _ text: @escaping (Subject) -> CheckedText
  ) {
    self.mapping = mapping
    self.entity = entity
    self.mappings = mappings
    self.models = models
    self.text = text
  }

  func checkFilter() {
    guard let filter = mapping.filter else { return }
    guard !filter.children.flatMap(\.allParts).contains(.variable("source")) else {
      return text(.filter).error("$source", "a filter knows no variables; write the key alone")
    }
    compiling(filter.asCondition, .filter) { () throws(ExpressionFault) in
      let program = try PredicateProgram(filter, of: entity, in: models.source)
      if program.castsAnyText { adviseOfCast(.filter) }
    }
  }

  /// Checks the values for the objects of an entity.
  func checkValues(of target: EntityDescription) {
    for (subject, value) in mapping.values {
      for case .keyPath(let path, of: .evaluatedObject) in value.allParts {
        let reason = "\(path) stands alone, and is read as $source.\(path); better write that"
        text(subject).warn(reason)
      }
    }
    let element = elementType()
    for (property, attribute) in attributes(of: target) {
      guard let value = mapping.boundValue(of: property) else { continue }
      guard attribute.isStored else {
        let kind = attribute.isDerived ? "derived" : "transient"
        text(.attribute(property.name)).advise("", "it is \(kind), so the value is not used")
        checkNames(in: value, .attribute(property.name), element)
        continue
      }
      check(value, of: attribute, element)
      if !hasPolicy,
        let change = TransformerMapping(models: models).change(of: property, in: mapping)
      {
        let reason =
          "transformer \(change.reader) wrote the bytes, and \(change.writer) is to read them; give the "
          + "entity mapping a policy that converts them"
        text(.attribute(property.name)).error("", reason)
      }
    }
    checkRelationships(of: target)
  }

  func checkRelationships(of target: EntityDescription) {
    for (relationship, value) in relationships(of: target) { check(value, of: relationship) }
  }

  private func attributes(
    of target: EntityDescription
  ) -> [(PropertyMapping, AttributeDescription)] {
    mapping.attributeMappings.compactMap { property in
      models.destination.leaf(named: property.name, of: target).map { (property, $0.attribute) }
    }
  }

  private func relationships(
    of target: EntityDescription
  ) -> [(RelationshipDescription, ValueExpression)] {
    mapping.relationshipMappings.compactMap { property in
      let found = models.destination.relationship(named: property.name, of: target)?.relationship
      guard let found, !found.isTransient else { return nil }
      return mapping.boundValue(of: property).map { (found, $0) }
    }
  }

  private func elementType() -> ExpressionType? {
    guard let elements = mapping.elements else { return definesElement ? .unknown : nil }
    var element = ExpressionType.unknown
    compiling(elements, .elements) { () throws(ExpressionFault) in
      let program = try ExpressionProgram(elements: elements, of: entity, in: models.source)
      element = program.elementType
    }
    return element
  }

  /// Reports the fault that ends the compilation of an expression, and all that is unknown in it.
  private func compiling(
    _ value: ValueExpression,
    _ subject: Subject,
    _ element: ExpressionType? = nil,
    _ body: () throws(ExpressionFault) -> Void
  ) {
    do throws(ExpressionFault) {
      try body()
    } catch {
      text(subject).error(error.word, error.description)
      checkNames(in: value, subject, element, \.isUnknown)
    }
  }

  private func checkNames(
    in value: ValueExpression,
    _ subject: Subject,
    _ element: ExpressionType? = nil,
    _ counts: (ExpressionFault) -> Bool = \.isOfName
  ) {
    let names = ExpressionCompiler.unknownNames(
      in: value,
      of: entity,
      models.source,
      element: element
    )
    for fault in names where counts(fault) {
      text(subject).error(fault.word, fault.description)
    }
  }

  /// Checks the names in the filter and the values alone: a policy may compute what no expression can.
  func checkNames(of target: EntityDescription) {
    if let filter = mapping.filter { checkNames(in: filter.asCondition, .filter) }
    if let elements = mapping.elements { checkNames(in: elements, .elements) }
    let element: ExpressionType? = definesElement ? .unknown : nil
    for (property, _) in attributes(of: target) {
      for part in mapping.attribute(property).parts {
        checkNames(in: part, .attribute(property.name), element)
      }
    }
    for (relationship, value) in relationships(of: target) {
      let meaning = RelationshipMeaning(value)
      if case .instances(let path, let name) = meaning {
        checkInstances(path, name, value, relationship)
      } else {
        for part in meaning.parts { checkNames(in: part, .relationship(relationship.name)) }
      }
    }
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
      return check(selector, arguments, subject) { _ in true }
    case .copyOrDefault(let name): value = InferredValue.copy(name)
    case .defaultValue, .copy, .constant, .expression: break
    }
    compiling(value, subject, element) { () throws(ExpressionFault) in
      let program = try ExpressionProgram(
        value,
        of: entity,
        in: models.source,
        element: element,
        where: mapping.filter
      )
      _ = try AttributeConversion(of: program.root, to: attribute)
      advise(program, attribute, subject)
    }
  }

  private func advise(
    _ program: ExpressionProgram,
    _ attribute: AttributeDescription,
    _ subject: Subject
  ) {
    let value = program.root
    if [.double, .float, .decimal].contains(attribute.attributeType), value.dividesIntegers {
      text(subject).advise(
        "/",
        "it divides integers, so the quotient has no fraction; multiply the dividend by 1.0 if it should"
      )
    }
    if !hasPolicy, attribute.needsValue, value.passesNil {
      text(subject).advise(
        "",
        "it is required, but may get nil from the source; give it another value then, as in "
          + "TERNARY(x == nil, …, x)"
      )
    }
    if program.castsAnyText { adviseOfCast(subject) }
  }

  private func adviseOfCast(_ subject: Subject) {
    text(subject).advise(
      "CAST",
      "a text of another form fails its row; match the text before, as in "
        + "TERNARY(x MATCHES \"[0-9]+\", CAST(x, \"NSNumber\"), nil)"
    )
  }

  /// Checks a call of the policy, of whose arguments some faults count.
  private func check(
    _ selector: String,
    _ arguments: [ValueExpression],
    _ subject: Subject,
    _ counts: (ExpressionFault) -> Bool
  ) {
    guard hasPolicy else {
      let reason = "\(selector) is sent to a policy, but the mapping has none"
      return text(subject).error(selector, reason)
    }
    let colons = selector.count { $0 == ":" }
    if colons != arguments.count {
      text(subject).warn("\(selector) takes \(colons) values, and gets \(arguments.count)")
    }
    for argument in arguments {
      do throws(ExpressionFault) {
        let program = try ExpressionProgram(argument, of: entity, in: models.source)
        if case .relationship = subject, case .keyPath(let path, _) = argument,
          !program.root.isOfObjects
        {
          let reason =
            "\(path) is computed, and a policy of a relationship gets what the object has"
          text(subject).error(path, reason)
        }
      } catch {
        guard counts(error) else { continue }
        text(subject).error(error.word, error.description)
        checkNames(in: argument, subject, nil, counts)
      }
    }
  }

  private func check(_ value: ValueExpression, of relationship: RelationshipDescription) {
    let subject = Subject.relationship(relationship.name)
    if relationship.isToMany, value.takesFirst {
      text(subject).error(
        "",
        "it takes one of several objects, but the relationship leads to many"
      )
    }
    switch RelationshipMeaning(value) {
    case .nothing: break
    case .instances(let path, let name): checkInstances(path, name, value, relationship)
    case .policy(let selector, let arguments):
      // A policy may get what no expression can compute.
      check(selector, arguments, subject, \.isOfName)
    case .unsupported(let reason):
      var word = ""
      if case .function(_, let selector, _) = value.collectionOfFirst ?? value { word = selector }
      text(subject).error(word, reason)
    }
  }

  private func checkInstances(
    _ path: [String],
    _ name: String?,
    _ value: ValueExpression,
    _ relationship: RelationshipDescription
  ) {
    let text = text(.relationship(relationship.name))
    guard let name else {
      guard case .function(_, _, let arguments) = value.collectionOfFirst ?? value,
        case .constant(.string(let name))? = arguments.first,
        models.source.relationship(named: name, of: entity) == nil
      else { return _ = end(of: path, text) }
      let names = models.source.relationships(of: entity).map(\.name)
      let hint = MappingResolver.hint(name, among: names)
      return text.error(name, "the source entity \(entity.name) has no relationship \(name)\(hint)")
    }
    guard let end = end(of: path, text) else { return }
    guard let maker = mappings.first(where: { $0.name == name }) else {
      let hint = MappingResolver.hint(name, among: mappings.map(\.name))
      return text.error(name, "there is no entity mapping \(name)\(hint)")
    }
    if let read = models.source.entity(named: maker.sourceEntityName),
      models.source.root(of: read).name != models.source.root(of: end).name
    {
      text.warn(
        "entity mapping \(name) reads objects of \(read.name), but is asked for those of \(end.name)"
      )
    }
    let target = relationship.destinationEntityName
    if let made = models.destination.entity(named: maker.destinationEntityName),
      !models.destination.lineage(of: made).contains(where: { $0.name == target })
    {
      text.warn(
        "entity mapping \(name) makes objects of \(made.name), but the relationship leads to \(target)"
      )
    }
  }

  /// The entity of the objects at the end of a path; `nil` after an error.
  private func end(of path: [String], _ text: CheckedText) -> EntityDescription? {
    guard let last = path.last else { return entity }
    do throws(ExpressionFault) {
      let copy = InferredValue.copy(path.joined(separator: "."))
      var type = try ExpressionProgram(copy, of: entity, in: models.source).root.type
      while case .collection(let element) = type { type = element }
      if case .object(let name) = type { return models.source.entity(named: name) }
      text.error(last, "\(last) is an attribute and leads to no objects")
    } catch {
      text.error(error.word, error.description)
    }
    return nil
  }
}

extension EntityMapping {
  /// Its expressions, apart from the filter.
  var values: [(subject: ValueCheck.Subject, value: ValueExpression)] {
    let all =
      [(ValueCheck.Subject.elements, elements)]
      + attributeMappings.map { (.attribute($0.name), $0.valueExpression) }
      + relationshipMappings.map { (.relationship($0.name), $0.valueExpression) }
    return all.compactMap { subject, value in value.map { (subject, $0) } }
  }
}

extension ValuePredicate {
  /// An expression in which the predicate is a condition.
  fileprivate var asCondition: ValueExpression {
    .ternary(self, then: .constant(.null), otherwise: .constant(.null))
  }
}

extension ComparisonNode {
  /// Whether it holds for nil alone.
  fileprivate var isWithNil: Bool {
    `operator` == .equalTo && modifier == .direct && right.type == .null
  }
}

extension ExpressionNode {
  /// The values from which a single value is computed, or one of which it is.
  private var parts: [ExpressionNode] {
    switch operation {
    case .call(_, let operands), .message(_, let operands): operands
    case .ternary(_, let then, let otherwise): [then, otherwise]
    case .cast(let operand, _): [operand]
    case .of(let object, let value): [object, value]
    case .constant, .input, .map, .transformed, .aggregate, .set, .subquery, .symbol, .now, .random,
      .uuid, .rowKey, .objectID:
      []
    }
  }

  /// Whether a quotient of integers is the value or a part of its computation.
  fileprivate var dividesIntegers: Bool {
    if case .call(let function, let operands) = operation, function.selector == "divide:by:",
      operands.allSatisfy({ $0.type.integerRange != nil })
    {
      return true
    }
    return parts.contains(where: \.dividesIntegers)
  }

  /// Whether it is what an object has, not computed of it.
  fileprivate var isOfObjects: Bool {
    switch operation {
    case .input, .map: true
    default: false
    }
  }

  /// Whether a value of the source that may be nil makes it nil; a number that is none does so, too, but rarely.
  fileprivate var passesNil: Bool {
    guard mayBeNil else { return false }
    switch operation {
    case .input, .constant: return true
    case .ternary(.comparison(let test), let then, let otherwise) where test.isWithNil:
      return test.left.mayBeNil && then.passesNil || otherwise != test.left && otherwise.passesNil
    default: return parts.contains(where: \.passesNil)
    }
  }
}

internal import BulkExecute
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkSQLite
internal import BulkStore

/// Evaluates an entity mapping for some objects.
struct EntityMappingTrial {
  private let mapping: EntityMapping
  private let bench: MappingWorkbench
  private let sketch: MappingSketch
  private let sampled: SampledStore
  private var result: TriedMapping
  /// There only if the choice's predicate cannot be evaluated.
  private(set) var refusal: TrialRefusal?

  init(
    _ mapping: EntityMapping,
    of sketch: MappingSketch,
    _ bench: MappingWorkbench,
    _ sampled: SampledStore
  ) {
    (self.mapping, self.bench, self.sketch, self.sampled) = (mapping, bench, sketch, sampled)
    result = TriedMapping(
      name: mapping.name,
      source: mapping.sourceEntityName,
      destination: mapping.destinationEntityName
    )
  }

  mutating func run() throws -> TriedMapping {
    guard let entity = bench.source.entity(named: mapping.sourceEntityName),
      let target = bench.destination.entity(named: mapping.destinationEntityName),
      !entity.isAbstract
    else {
      result.notes.append(whyNothing)
      return result
    }
    do {
      try run(entity, target)
    } catch let error as StoreError where sampled.isOutOfTime && error.cause == .interruption {
      result.course = SampleCourse(end: .time)
    }
    return result
  }

  private var whyNothing: String {
    guard let source = mapping.sourceEntityName else {
      let policy = mapping.entityMigrationPolicyClassName
      return "it reads no objects, so none are shown"
        + (policy.map { "; the policy \($0), which makes its objects, is not run here" } ?? "")
    }
    return mapping.destinationEntityName == nil
      ? "the objects of \(source) are left out"
      : "entity \(source) is abstract and has no objects"
  }

  private mutating func run(_ entity: EntityDescription, _ target: EntityDescription) throws {
    var context = PropertyTrial.Context(
      mapping: mapping,
      entity: entity,
      element: nil,
      objects: sampled.source,
      error: error
    )
    let elements = try elements(context)
    // Values of elements are of the type that the collection has.
    context.element = mapping.elements == nil ? nil : elements?.type.element ?? .unknown
    let properties = try properties(of: target, context)
    noteLimits(entity)
    let filter = filter(entity)
    // Without a collection nothing is made.
    guard mapping.elements == nil || elements != nil else { return }
    do {
      result.course = try sampled.objects(of: entity, where: filter) { key, fault in
        try show(key, filterFault: fault, elements, properties)
        return result.objects.count < sampled.choice.count
      }
    } catch let found as TrialRefusal {
      refusal = found
      result.notes.append("\(found), so no objects are shown")
    }
  }

  /// What a trial leaves out of this entity mapping, and what is lost.
  private mutating func noteLimits(_ entity: EntityDescription) {
    if let policy = mapping.entityMigrationPolicyClassName {
      result.notes.append(
        "its objects are made by the policy \(policy), which is not run here; these are the values of the expressions"
      )
    }
    if let rule = mapping.uniqueness {
      let names = rule.attributes.joined(separator: ", ")
      result.notes.append("objects that agree in \(names) become one, which is not done here")
    }
    let reads = SourceReads(sketch.model, between: bench.models)
    let lost = bench.source.attributes(of: entity).filter {
      $0.isStored && !reads.reads($0, of: entity)
    }
    // The properties that a policy reads are unknown.
    if mapping.entityMigrationPolicyClassName == nil, !lost.isEmpty {
      result.notes.append("read by nothing and lost: \(lost.map(\.name).joined(separator: ", "))")
    }
  }

  /// `nil` if it cannot be evaluated.
  private mutating func filter(_ entity: EntityDescription) -> ValuePredicate? {
    guard let filter = mapping.filter else { return nil }
    do throws(ExpressionFault) {
      _ = try PredicateProgram(filter, of: entity, in: bench.source)
      return filter
    } catch {
      result.errors.append(self.error("filter: \(error)", "filter"))
      return nil
    }
  }

  /// The collection whose elements become objects; `nil` if there is none, or none that can be evaluated.
  private mutating func elements(_ context: PropertyTrial.Context) throws -> ObjectEvaluation? {
    guard let elements = mapping.elements else { return nil }
    do {
      _ = try ExpressionProgram(elements: elements, of: context.entity, in: bench.source)
      return try ObjectEvaluation(elements, of: context.entity, in: sampled.source)
    } catch let fault as ExpressionFault {
      result.errors.append(error("forEach: \(fault)", "forEach"))
      return nil
    }
  }

  private mutating func properties(
    of target: EntityDescription,
    _ context: PropertyTrial.Context
  ) throws -> [PropertyTrial] {
    let faults = sketch.faults(of: mapping)
    var properties: [PropertyTrial] = []
    var shown: Set<String> = []
    func failing(_ kind: TriedValue.Kind, _ name: String) -> PropertyTrial? {
      let subject = "\(kind.rawValue) \(name)"
      guard let found = faults.first(where: { $0.subject == subject }) else { return nil }
      shown.insert(subject)
      let text = bench.file.expressionText(of: name, in: mapping.name) ?? ""
      return PropertyTrial(kind, name, by: text, context, failing: error(found.fault))
    }
    for attribute in bench.destination.attributes(of: target) where !attribute.isTransient {
      properties.append(
        try failing(.attribute, attribute.name) ?? PropertyTrial(attribute, context)
      )
    }
    for link in bench.destination.relationships(of: target) where !link.isTransient {
      properties.append(try failing(.relationship, link.name) ?? PropertyTrial(link, context))
    }
    result.errors += faults.filter { !shown.contains($0.subject) }.map {
      var error = error($0.fault)
      error.reason = "\($0.subject): \(error.reason)"
      return error
    }
    return properties
  }

  private mutating func show(
    _ key: Int64,
    filterFault fault: String?,
    _ elements: ObjectEvaluation?,
    _ properties: [PropertyTrial]
  ) throws {
    var object = TriedObject(key: key)
    if let fault {
      var value = TriedValue(.filter, "filter", by: mapping.filter.map { "\($0)" } ?? "")
      value.error = error(fault, "filter")
      object.values.append(value)
    }
    guard let elements else {
      object.values += try properties.map { try $0.value(of: key, nil) }
      result.objects.append(object)
      return
    }
    let values = try self.values(of: elements, key, &object)
    for (index, value) in values.enumerated().prefix(sampled.choice.count - result.objects.count) {
      let element = ObjectEvaluation.Element(value, at: index)
      var made = object
      made.element = TriedElement(
        position: index + 1,
        count: values.count,
        value: TrialValue(value, in: sampled.source.schema)
      )
      made.values += try properties.map { try $0.value(of: key, element) }
      result.objects.append(made)
    }
    if values.isEmpty { result.objects.append(object) }
  }

  /// The elements of an object's collection; where there are none the object shows why.
  private func values(
    of elements: ObjectEvaluation,
    _ key: Int64,
    _ object: inout TriedObject
  ) throws -> [EvaluatedValue] {
    var shown = TriedValue(.forEach, "forEach", by: mapping.elements.map { "\($0)" } ?? "")
    switch try elements.result(of: key)?.outcome {
    case .value(.collection(let found)):
      let values = found.elements.filter { !$0.isNull }
      if !values.isEmpty { return values }
      shown.note = "it has no elements, so no object is created"
    case .value, nil: shown.note = "it is nil, so no object is created"
    case .fault(let reason), .unreadable(let reason): shown.error = error(reason, "forEach")
    }
    object.values.append(shown)
    return []
  }

  /// Has the place of a property's expression.
  private func error(_ reason: String, _ property: String) -> TrialError {
    let location = bench.file.location(of: property, in: mapping.name)
    return TrialError(
      path: location?.path,
      line: location?.line,
      column: location?.column,
      reason: reason
    )
  }

  private func error(_ fault: Diagnostic) -> TrialError {
    let path = fault.line == nil ? nil : fault.path
    return TrialError(path: path, line: fault.line, column: fault.column, reason: fault.reason)
  }
}

internal import BulkModel

extension MappingFile {
  /// Rejects a file that violates its format.
  package func refuseFaults() throws(MappingError) { try refuse(report) }

  /// A report of the violations of the format, to which the errors of a check are added.
  var report: MappingReport {
    MappingReport(parts.flatMap(\.errors), namingFiles: parts.count > 1)
  }

  func refuse(_ report: MappingReport) throws(MappingError) {
    if !report.errors.isEmpty { throw .invalid(inFileOrder(report.errors)) }
  }

  /// The mapping model that the file describes between two models, and warnings, a sentence each.
  ///
  /// Of the values only the names are checked. For Core Data it is in Core Data's terms, and what has none is an error.
  package func mappingModel(
    between models: ModelPair,
    isForCoreData: Bool = false
  ) throws(MappingError) -> (model: MappingModel, warnings: [String]) {
    let report = report
    var found = resolution(between: models, report)
    if isForCoreData { found.model = found.model.inCoreDataTerms(between: models) }
    let mappings = found.model.entityMappings
    for (index, mapping) in mappings.enumerated() {
      let draft = found.draft(at: index)
      let text = checkedText(of: mapping, draft, report)
      if mapping.sourceEntityName == nil { refuseSource(in: mapping, text) }
      if isForCoreData { mapping.refuseBeyondCoreData(draft, text) }
      // An abstract entity has no objects, so nothing is evaluated for it.
      guard let from = models.source.entity(named: mapping.sourceEntityName), !from.isAbstract,
        let to = models.destination.entity(named: mapping.destinationEntityName)
      else { continue }
      var check = ValueCheck(mapping, from: from, among: mappings, between: models, text)
      check.definesElement = draft?.elements != nil
      check.checkNames(of: to)
    }
    try refuse(report)
    return (found.model, found.warnings)
  }

  /// The mapping model between two models, if all of it can be executed, and the passes that the file requests.
  package func executableResolution(
    between models: ModelPair
  ) throws(MappingError) -> MappingResolution {
    let report = report
    var found = resolution(between: models, report)
    checkValues(of: &found, models, report)
    try refuse(report)
    return found
  }

  private func resolution(
    between models: ModelPair,
    _ report: MappingReport
  ) -> MappingResolution {
    var found = MappingResolver(self, models, report).resolution()
    if takesFirst { found.model = found.model.takingFirst(between: models) }
    checkExpectations(models, report)
    return found
  }

  /// All errors in file order, then the warnings about other properties.
  package func findings(
    between models: ModelPair,
    knowsPolicy: (String) -> Bool = { _ in false },
    knowsTransformer: (String) -> Bool = { _ in false }
  ) -> [Diagnostic] {
    let report = report
    var found = resolution(between: models, report)
    let isComplete = report.errors.isEmpty
    checkValues(of: &found, models, report)
    guard isComplete else {
      // A changed model may be the cause of all errors.
      return inFileOrder(report.errors) + missingPolicies(knowsPolicy)
        + parts.flatMap { $0.staleCopies(models) }.map { Diagnostic(.warning, "", $0) }
    }
    let lint = MappingLint(found.model, between: models).findings()
    let errors =
      inFileOrder(report.errors) + missingTransformers(found.model, knowsTransformer)
      + lint.filter { $0.severity == .error }
    // A fault is told once; some warnings begin with their subject.
    let told = Set(errors.map(\.subject)).subtracting([""]).map { "\($0):" }
    let warnings =
      missingPolicies(knowsPolicy) + inFileOrder(report.advice)
      + found.warnings.map { Diagnostic(.warning, "", $0) }
      + lint.filter { $0.severity == .warning }
    return errors + warnings.filter { !told.contains(where: $0.phrase.hasPrefix) }
  }

  /// The policies that are not available, without which no plan can be made.
  private func missingPolicies(_ isKnown: (String) -> Bool) -> [Diagnostic] {
    inFileOrder(
      drafts.compactMap { draft in
        guard let policy = draft.policy, !isKnown(policy.text) else { return nil }
        let reason = "it needs the policy \(policy.text), which this program does not have"
        return policy.location.diagnostic(.warning, draft.subject, reason)
      }
    )
  }

  /// The transformers that are not available, without which no plan can be made.
  private func missingTransformers(
    _ model: MappingModel,
    _ isKnown: (String) -> Bool
  ) -> [Diagnostic] {
    model.transformers.filter { !isKnown($0.name) }.map { needed in
      (draft(named: needed.mapping)?.location(ofValue: needed.property) ?? MappingLocation(origin))
        .diagnostic(
          .error,
          "entity mapping \(needed.mapping), \(needed.property)",
          "it needs the transformer \(needed.name), which this program does not have"
        )
    }
  }

  /// Gives values the transformers that they need, and reports what a plan would refuse in filters and values.
  private func checkValues(
    of found: inout MappingResolution,
    _ models: ModelPair,
    _ report: MappingReport
  ) {
    // What follows from a fault is not told.
    let isComplete = report.errors.isEmpty
    found.model = TransformerMapping(models: models).reading(found.model)
    let reach = RelationshipReach(found.model, between: models)
    let mappings = found.model.entityMappings
    for (index, mapping) in mappings.enumerated() {
      let draft = found.draft(at: index)
      let text = checkedText(of: mapping, draft, report)
      if mapping.sourceEntityName == nil { refuseSource(in: mapping, text) }
      // An abstract entity has no objects, so nothing is evaluated for it.
      guard let from = models.source.entity(named: mapping.sourceEntityName), !from.isAbstract
      else { continue }
      var check = ValueCheck(mapping, from: from, among: mappings, between: models, text)
      // A collection that is wrong has no value, but elements.
      check.definesElement = draft?.elements != nil || mapping.elements != nil
      check.checkFilter()
      guard let to = models.destination.entity(named: mapping.destinationEntityName) else {
        continue
      }
      guard !to.isAbstract else {
        let reason = "entity \(to.name) is abstract and can have no objects"
        let location = draft?.destination?.location ?? MappingLocation(origin)
        report.error(location, "entity mapping \(mapping.name)", reason)
        continue
      }
      check.checkValues(of: to)
      guard isComplete else { continue }
      // The explicit relationship mappings of the file that never assign an object.
      for property in mapping.relationshipMappings
      where draft?.relationships.contains(where: { $0.name == property.name }) ?? false {
        // A value that names no mapping finds nothing only where an entity is left out.
        let text = text(.relationship(property.name))
        guard property.valueExpression != InferredValue.relationship(property.name),
          !report.errors.contains(where: { $0.subject == text.subject }),
          let fault = reach.fault(of: property, at: index)
        else { continue }
        text.error(fault.word, fault.reason)
      }
    }
    found.warnings = report.warnings
  }

  /// Where faults of the values of an entity mapping are told.
  private func checkedText(
    of mapping: EntityMapping,
    _ draft: EntityMappingDraft?,
    _ report: MappingReport
  ) -> (ValueCheck.Subject) -> CheckedText {
    { property in
      CheckedText(report: report, subject: "entity mapping \(mapping.name), \(property)") {
        draft?.location(of: $0, in: property) ?? MappingLocation(origin)
      }
    }
  }

  private func refuseSource(in mapping: EntityMapping, _ text: (ValueCheck.Subject) -> CheckedText)
  {
    let reason = "there is no $source, because the entity mapping has no source"
    for (subject, value) in mapping.values where value.allParts.contains(.variable("source")) {
      text(subject).error("$source", reason)
    }
  }
}

/// Where an expression is in a mapping file.
package struct ExpressionLocation: Hashable, Sendable {
  package let path: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1; `nil` where the file has none.
  package let column: Int?
}

extension MappingFile {
  private func draft(named mapping: String) -> EntityMappingDraft? {
    drafts.first { $0.effectiveName == mapping }
  }

  /// The place of the expression of a property, or of `filter` or `forEach`, in the entity mapping with a name; `nil`
  /// where the file has none, or no lines.
  package func location(of property: String, in mapping: String) -> ExpressionLocation? {
    let location = draft(named: mapping)?.location(ofValue: property)
    guard let found = location?.diagnostic(.error, "", ""), let line = found.line else {
      return nil
    }
    return ExpressionLocation(path: found.path ?? path, line: line, column: found.column)
  }

  /// The text of the expression that gives a property its value, as written; `nil` where the file has none.
  package func expressionText(of property: String, in mapping: String) -> String? {
    draft(named: mapping).flatMap { draft in
      (draft.attributes + draft.relationships).first { $0.name == property }?.texts.first?.text
    }
  }

  /// The mapping model between two models, with the errors of single properties beside it.
  ///
  /// Whether attributes can be evaluated is seen by trying.
  package func sketch(between models: ModelPair) throws(MappingError) -> MappingSketch {
    let report = report
    let found = MappingResolver(self, models, report).resolution()
    let mappings = found.model.entityMappings
    for (index, mapping) in mappings.enumerated() {
      guard let from = models.source.entity(named: mapping.sourceEntityName),
        let to = models.destination.entity(named: mapping.destinationEntityName)
      else { continue }
      let text = checkedText(of: mapping, found.draft(at: index), report)
      ValueCheck(mapping, from: from, among: mappings, between: models, text)
        .checkRelationships(of: to)
    }
    let errors = inFileOrder(report.errors)
    let others = errors.filter { MappingSketch.mapping(of: $0, in: found.model) == nil }
    guard others.isEmpty else { throw .invalid(others) }
    let model = TransformerMapping(models: models).reading(found.model)
    return MappingSketch(model, written: Set(found.items.map(\.mapping.name)), errors: errors)
  }
}

/// A mapping model as far as its files give one: what is wrong with single properties is kept beside it.
package struct MappingSketch: Sendable {
  /// The mapping model; a property whose expression is wrong has no value in it.
  package let model: MappingModel
  /// The names of the entity mappings that a file mentions; the others are inferred.
  package let written: Set<String>
  private let errors: [String: [Diagnostic]]

  /// The errors of an entity mapping by its properties: `attribute title`, `relationship tags`, `filter`, `forEach`,
  /// or what else they are about, in file order.
  package func faults(of mapping: EntityMapping) -> [(subject: String, fault: Diagnostic)] {
    let beginning = Self.beginning(mapping.name)
    return errors[mapping.name, default: []].map {
      (String($0.subject.dropFirst(beginning.count)), $0)
    }
  }

  private static func beginning(_ name: String) -> String { "entity mapping \(name), " }

  fileprivate init(_ model: MappingModel, written: Set<String>, errors: [Diagnostic]) {
    (self.model, self.written) = (model, written)
    self.errors = Dictionary(grouping: errors) { Self.mapping(of: $0, in: model) ?? "" }
  }

  /// The name of the entity mapping with whose property something is wrong; `nil` where it is more than that.
  fileprivate static func mapping(of error: Diagnostic, in model: MappingModel) -> String? {
    model.entityMappings.first { error.subject.hasPrefix(beginning($0.name)) }?.name
  }
}

internal import BulkModel

extension MappingFile {
  /// The mapping model between two models, if all of it can be executed, and the passes that the file requests.
  ///
  /// - Throws: ``MappingError/invalid(path:faults:)`` with every error in the file, every name in it that the
  ///   models do not have, and every filter and value that cannot be evaluated.
  package func executableResolution(
    between models: ModelPair
  ) throws(MappingError) -> MappingResolution {
    let found = try transformedResolution(between: models)
    try refuse(evaluationFaults(of: found, models))
    return found
  }

  /// The mapping model between two models, with the transformers that its values need.
  func transformedResolution(between models: ModelPair) throws(MappingError) -> MappingResolution {
    var found = try resolution(between: models)
    found.model = TransformerMapping(models: models).reading(found.model)
    return found
  }

  /// Reasons why filters and values cannot be evaluated, by the index of their file among ``members``.
  func evaluationFaults(of found: MappingResolution, _ models: ModelPair) -> [[DraftFault]] {
    let reach = RelationshipReach(found.model, between: models)
    var faults = members.map { _ in [DraftFault]() }
    for (index, mapping) in found.model.entityMappings.enumerated() {
      // The explicit entity mappings of the files come first.
      let item = index < found.items.count ? found.items[index] : nil
      faults[item?.part ?? faults.count - 1] +=
        evaluationFaults(of: mapping, at: index, item?.draft, reach)
    }
    return faults
  }

  private func evaluationFaults(
    of mapping: EntityMapping,
    at index: Int,
    _ draft: EntityMappingDraft?,
    _ reach: RelationshipReach
  ) -> [DraftFault] {
    let (source, destination) = (reach.models.source, reach.models.destination)
    guard
      let from = source.entity(named: mapping.sourceEntityName),
      let to = destination.entity(named: mapping.destinationEntityName),
      // An abstract entity has no objects, so nothing is evaluated for it.
      !from.isAbstract
    else { return [] }
    let subject = "entity mapping \(mapping.name)"
    guard !to.isAbstract else {
      let reason = "entity \(to.name) is abstract and can have no objects"
      return [DraftFault(draft?.destination?.place ?? .none, subject, reason)]
    }
    return EvaluationCheck(mapping, from: from, to: to, between: reach.models).faults.map {
      DraftFault(
        draft?.place(of: $0.word, in: $0.subject) ?? .none,
        "\(subject), \($0.subject)",
        $0.reason
      )
    } + (draft.map { emptyRelationships(of: mapping, at: index, $0, reach) } ?? [])
  }

  /// The explicit relationship mappings of the file that never assign an object.
  private func emptyRelationships(
    of mapping: EntityMapping,
    at index: Int,
    _ draft: EntityMappingDraft,
    _ reach: RelationshipReach
  ) -> [DraftFault] {
    mapping.relationshipMappings.compactMap { property in
      guard draft.relationships.contains(where: { $0.name == property.name }),
        // A value that names no mapping finds nothing only where an entity is left out.
        property.valueExpression != InferredValue.relationship(property.name),
        let fault = reach.fault(of: property, at: index)
      else { return nil }
      let subject = EvaluationCheck.Subject.relationship(property.name)
      return DraftFault(
        draft.place(of: fault.word, in: subject),
        "entity mapping \(mapping.name), \(subject)",
        fault.reason
      )
    }
  }
}

/// Where an expression is in a mapping file.
package struct ExpressionPlace: Hashable, Sendable {
  /// The path of the mapping file.
  package let path: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1; `nil` where the file has none.
  package let column: Int?
}

extension MappingFile {
  /// The place of the expression of a property, or of `filter` or `forEach`, in the entity mapping with a name; `nil`
  /// where the file has none, or no lines.
  package func place(of property: String, in mapping: String) -> ExpressionPlace? {
    for member in members {
      guard let draft = member.drafts.first(where: { $0.effectiveName == mapping }) else {
        continue
      }
      let fault = DraftFault(draft.place(of: property), mapping, "")
      guard let placed = member.placed([fault]).first, let line = placed.line else { return nil }
      return ExpressionPlace(path: member.faultyPath, line: line, column: placed.column)
    }
    return nil
  }
}

extension EntityMappingDraft {
  /// The position of a word in the text of the filter or of a value; without a text, the position of the
  /// property or of the entity mapping.
  fileprivate func place(of word: String, in subject: EvaluationCheck.Subject) -> MappingPlace {
    switch subject {
    case .filter: filterText?.place(of: word) ?? place
    case .elements: elementsText?.place(of: word) ?? place
    case .attribute(let name): attributes.first { $0.name == name }?.place(of: word) ?? place
    case .relationship(let name): relationships.first { $0.name == name }?.place(of: word) ?? place
    }
  }

  /// The position of the text that gives a property its value, or of the entity mapping.
  fileprivate func place(of property: String) -> MappingPlace {
    let text = property == "filter" ? filterText : property == "forEach" ? elementsText : nil
    if let text { return text.place.character(0) }
    let draft = (attributes + relationships).first { $0.name == property }
    return draft?.texts.first?.place.character(0) ?? draft?.place ?? place
  }
}

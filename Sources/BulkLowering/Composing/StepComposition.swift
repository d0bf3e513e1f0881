internal import BulkStore
internal import BulkMapping
internal import BulkModel

/// Composes a step with those before it where rows keep their keys throughout: the transfers of the last step
/// are expressed over the rows of the store.
struct KeptComposition {
  let first: StepWork
  let next: StepWork

  /// The work of all steps.
  ///
  /// - Throws: ``FusionBarrier`` if the version must be made before the further step.
  func composed() throws(FusionBarrier) -> StepWork {
    try FusionBarrier.refuse(valuesOfCompleteVersion() + first.numbersRounded(before: next))
    let transfers = try TransferComposition(first.transfers, from: first.layout.schema)
      .composed(with: next.transfers)
    try FusionBarrier.refuse(unprovenConstraints(transfers))
    var result = next.fused(with: first)
    result.steps = first.steps + next.steps
    result.successions = EntitySuccession.continued(first.successions, by: next.last)
    result.transfers = transfers
    result.choices = first.choices + PartnerChoice.all(in: transfers, describedBy: next.transfers)
    result.externalColumns =
      first.externalColumns
      + ExternalColumn.all(in: transfers).filter { !first.externalColumns.contains($0) }
    result.firstRows = next.transfers.rowsByTable.compactMapValues { first.firstRows[$0.source] }
    result.entityCount = max(first.entityCount, next.entityCount)
    return result
  }

  /// Values that are computed when all rows of the last version exist.
  private func valuesOfCompleteVersion() -> [String] {
    let name = first.last.name
    return first.transfers.orderings.map {
      "places in \($0.table).\($0.orderColumn) are given when all rows of \(name) are there"
    }
      + first.destination.derivedAttributes.filter { isRead($0) }.map {
        "\($0.key) is derived when all rows of \(name) are there"
      }
  }

  /// Whether the further step takes over values of a derived attribute, and does not derive them itself.
  private func isRead(_ derived: DerivedAttribute) -> Bool {
    let own = Set(next.destination.derivedAttributes.map { StoredColumn($0.column, of: $0.table) })
    return next.transfers.entityRows.contains { transfer in
      transfer.source == derived.table
        && transfer.assignments.contains {
          $0.value.mentions(derived.column)
            && !own.contains(StoredColumn($0.column, of: transfer.destination))
        }
    }
  }

  private func unprovenConstraints(_ transfers: TransferSet) -> [String] {
    let name = first.last.name
    return UniquenessProof(first.file).unproven(
      first.indexStyle.uniqueness,
      by: first.transfers,
      askedAgain: next.indexStyle.uniqueness,
      by: transfers
    ).map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in \(name) only, "
        + "which rows of \(name) must show"
    }
  }
}

extension StepWork {
  /// The work on the store before the first steps, as far as it does not follow from how rows are made.
  fileprivate func fused(with first: StepWork) -> StepWork {
    var result = self
    result.singleSteps = first.singleSteps + singleSteps
    (result.layout, result.file) = (first.layout, first.file)
    result.unmanagedTables = first.unmanagedTables.followed(by: unmanagedTables)
    result.unmanagedObjects = first.unmanagedObjects.followed(by: unmanagedObjects)
    return result
  }
}

/// Composes a step with those before it where one of them creates objects, and proves that the outcome is
/// that of the single steps.
struct MadeComposition {
  let first: StepWork
  let next: StepWork

  /// The work of all steps.
  ///
  /// - Throws: ``FusionBarrier`` if the version must be made before the further step.
  func composed() throws(FusionBarrier) -> StepWork {
    let earlier = try earlierStep()
    let converted = (first.singleSteps + next.singleSteps).flatMap(\.convertedNumbers)
    try FusionBarrier.refuse(contradictions() + converted)
    let step = try MappingComposition(earlier, next.last).composed()
    try FusionBarrier.refuse(RuleProof(first: earlier, second: next.last).unprovenRules())
    let evaluation = EvaluationProof(instances: first.instances, next: next.last)
    try FusionBarrier.refuse(evaluation.unevaluatedValues())
    let instances = try instances(step)
    let building = BuildingProof(earlier: first, next: next, instances: instances)
    try FusionBarrier.refuse(building.differences())
    try FusionBarrier.refuse(unprovenConstraints(instances))
    return work(step, instances)
  }

  private func work(_ step: MigrationStep, _ instances: InstanceWork) -> StepWork {
    var result = next.fused(with: first)
    result.steps = [step]
    result.successions = step.mapping.entityMappings.map { EntitySuccession($0, step) }
    result.instances = instances
    result.options = options
    result.transfers = instances.transfers
    result.choices =
      instances.choices + first.choices.filter { !instances.choices.contains($0) }
    let columns = ExternalColumn.all(in: instances.transfers)
    result.externalColumns = columns + first.externalColumns.filter { !columns.contains($0) }
    result.firstRows = [:]
    result.entityCount = first.layout.schema.numbering.entities.count
    return result
  }

  /// The options with which objects are made as the further step alone would make them.
  private var options: InstanceOptions {
    // After a step that created objects no key is dangling.
    InstanceOptions(looksUpKeys: !first.keepsKeys, order: next.order)
  }

  /// The steps so far as one.
  private func earlierStep() throws(FusionBarrier) -> MigrationStep {
    var step = first.steps[0]
    for next in first.steps.dropFirst() {
      step = try MappingComposition(step, next).composed()
    }
    return step
  }

  /// The relationships of the version that depend on the order in which they are assigned.
  private func contradictions() -> [String] {
    first.instances.contradictory.map {
      "what \($0.first) leads to follows from several assignments in the version before "
        + "\(next.last.name)"
    }
  }

  private func instances(_ step: MigrationStep) throws(FusionBarrier) -> InstanceWork {
    do {
      return try InstanceWork(
        step.mapping,
        from: first.layout.schema,
        to: next.destination,
        options: options
      )
    } catch {
      throw FusionBarrier("the mappings as one cannot be carried out: \(error)")
    }
  }

  /// The uniqueness constraints of the version that neither the store nor the next version has.
  private func unprovenConstraints(_ instances: InstanceWork) -> [String] {
    let constraints = first.indexStyle.uniqueness
    // One transfer does not describe what is evaluated or what several mappings fill.
    let single = first.instances.tablesOfOneTransfer
    let others = constraints.filter { !first.keepsKeys && !single.contains($0.table) }
    let open =
      others
      + UniquenessProof(first.file).unproven(
        constraints.filter { !others.contains($0) },
        by: first.transfers,
        askedAgain: next.indexStyle.uniqueness,
        by: instances.transfers
      )
    return open.map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in the version before "
        + "\(next.last.name) only, which its rows must show"
    }
  }
}

/// Finds values that must be evaluated for a version although the next one does not need them.
///
/// Evaluation may fail: the value overflows, does not fit, or its row holds another type. Then the migration
/// ends at the version. So the value must be evaluated for every object that the version would have, by
/// whichever step copies it.
struct EvaluationProof {
  let instances: InstanceWork
  let next: MigrationStep

  /// The values that would not be evaluated, a sentence each.
  func unevaluatedValues() -> [String] { instances.creations.flatMap(unevaluatedValues) }

  private func unevaluatedValues(_ creation: InstanceCreation) -> [String] {
    let entity = creation.mapping.destination.name
    let readers = next.mapping.entityMappings.filter {
      $0.sourceEntityName == entity && $0.filter == nil && $0.destinationEntityName != nil
    }
    let values = creation.evaluations.map(\.attribute)
      .filter { attribute in !readers.contains { takesOver(attribute, $0) } }
      .map { "\(entity).\($0.name) may fail for objects that \(next.name) does not ask for it" }
    guard creation.filter != nil, readers.isEmpty else { return values }
    return values + ["the filter of \(creation.mapping.mapping.name) may fail for some objects"]
  }

  private func takesOver(_ attribute: AttributeDescription, _ reader: EntityMapping) -> Bool {
    guard let entity = next.destination.entity(named: reader.destinationEntityName) else {
      return false
    }
    return next.destination.attributes(of: entity).contains { other in
      reader.takenAttribute(for: other.name) == attribute.name
        && other.attributeType == attribute.attributeType
    }
  }
}

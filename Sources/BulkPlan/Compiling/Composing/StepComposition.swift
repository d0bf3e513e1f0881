internal import BulkStore
internal import BulkMapping
internal import BulkModel

/// Composes a step with those before it where rows keep their keys throughout: the transfers of the last step
/// are expressed over the rows of the store.
struct KeptComposition {
  let first: StepWork
  let next: StepWork

  /// Throws ``FusionBarrier`` if the version must be made before the further step.
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
      + ExternalSourceColumn.all(in: transfers).filter { !first.externalColumns.contains($0) }
    result.firstRows = next.transfers.rowsByTable.compactMapValues { first.firstRows[$0.source] }
    result.entityCount = max(first.entityCount, next.entityCount)
    return result
  }

  /// Values that are computed when all rows of the last version exist.
  private func valuesOfCompleteVersion() -> [String] {
    let name = first.last.name
    return first.transfers.orderings.map {
      "positions in \($0.table).\($0.orderColumn) are given when all rows of \(name) are there"
    }
      + first.destination.derivedAttributes.filter { isRead($0) }.map {
        "\($0.key) is derived when all rows of \(name) are there"
      }
  }

  /// Unless the further step derives them itself.
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

/// Puts inferred steps in front of a step that makes objects, and proves that the outcome is that of the single steps.
struct MadeComposition {
  let first: StepWork
  let next: StepWork

  /// Throws ``FusionBarrier`` if the version must be made before the further step.
  func composed() throws(FusionBarrier) -> StepWork {
    try FusionBarrier.refuse(first.singleSteps.flatMap(\.convertedNumbers))
    var step = next.last
    for earlier in first.steps.reversed() {
      step = try MappingComposition(earlier, step).composed()
    }
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
    let columns = ExternalSourceColumn.all(in: instances.transfers)
    result.externalColumns = columns + first.externalColumns.filter { !columns.contains($0) }
    result.firstRows = [:]
    result.entityCount = first.layout.schema.numbering.entities.count
    return result
  }

  /// The further step alone would make objects in this order.
  private var options: InstanceOptions {
    InstanceOptions(order: next.instances.creations.map(\.mapping.mapping.name))
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

  private func unprovenConstraints(_ instances: InstanceWork) -> [String] {
    UniquenessProof(first.file).unproven(
      first.indexStyle.uniqueness,
      by: first.transfers,
      askedAgain: next.indexStyle.uniqueness,
      by: instances.transfers
    ).map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in the version before "
        + "\(next.last.name) only, which its rows must show"
    }
  }
}

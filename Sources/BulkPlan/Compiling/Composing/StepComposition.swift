internal import BulkMapping
internal import BulkModel
internal import BulkStore

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
    let name = first.last.name
    try FusionBarrier.refuse(
      first.unprovenConstraints(before: next, by: transfers, in: name, "rows of \(name)")
    )
    var result = next.fused(with: first)
    result.steps = first.steps + next.steps
    result.successions = EntitySuccession.continued(first.successions, by: next.last)
    result.transfers = transfers
    result.choices =
      first.choices
      + PartnerChoice.all(in: transfers, describedBy: next.transfers, to: next.destination)
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
}

extension StepWork {
  /// The constraints that only rows of this version can prove, a sentence each.
  fileprivate func unprovenConstraints(
    before next: StepWork,
    by transfers: TransferSet,
    in version: String,
    _ rows: String
  ) -> [String] {
    UniquenessProof(file).unproven(
      indexStyle.uniqueness,
      by: self.transfers,
      askedAgain: next.indexStyle.uniqueness,
      by: transfers
    ).map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in \(version) only, "
        + "which \(rows) must show"
    }
  }

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
    let version = "the version before \(next.last.name)"
    try FusionBarrier.refuse(
      first.unprovenConstraints(before: next, by: instances.transfers, in: version, "its rows")
    )
    return work(step, instances)
  }

  private func work(_ step: MigrationStep, _ instances: InstanceWork) -> StepWork {
    var result = next.fused(with: first)
    result.steps = [step]
    result.successions = step.mapping.entityMappings.map { EntitySuccession($0, step) }
    result.instances = instances
    result.options = options
    result.transfers = instances.transfers
    let choices = instances.choices(to: result.destination)
    result.choices = choices + first.choices.filter { !choices.contains($0) }
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
}

// The affinity of a column converts numbers whose type an inferred step changes (formats/migration.md 2.6). Steps that
// are done as one have no columns between them.

extension MigrationStep {
  /// The attributes of an inferred step whose numbers the affinity of the new column converts, which no expression
  /// does, a sentence each.
  var convertedNumbers: [String] {
    guard isInferred else { return [] }
    return mapping.continuations(from: source, to: destination).flatMap { mapping, from, to in
      destination.attributes(of: to).compactMap { attribute in
        guard let name = mapping.takenAttribute(for: attribute.name),
          let old = source.leaf(named: name, of: from)?.attribute,
          old.attributeType != attribute.attributeType
        else { return nil }
        return "the column of \(to.name).\(attribute.name) in \(self.name) converts its numbers"
      }
    }
  }
}

extension StepWork {
  /// Columns that would get integers without the rounding of this version's columns of real numbers, a sentence each.
  func numbersRounded(before next: StepWork) -> [String] {
    let (before, after) = (layout.schema.realColumns, next.destination.realColumns)
    let between = next.layout.schema.realColumns
    return next.transfers.entityRows.flatMap { second -> [String] in
      guard let made = transfers.entityRows.first(where: { $0.destination == second.source })
      else { return [] }
      let integers = Set(
        made.assignments.filter { assignment in
          assignment.value.reads(inRowOf: made.source).contains { !before.contains($0) }
        }.map { StoredColumn($0.column, of: made.destination) }
      ).intersection(between)
      return second.assignments.filter { assignment in
        !after.contains(StoredColumn(assignment.column, of: second.destination))
          && !integers.isDisjoint(with: assignment.value.reads(inRowOf: second.source))
      }.map {
        "\(second.destination).\($0.column) gets numbers that \(last.name) rounds to real ones"
      }
    }
  }
}

extension StoreSchema {
  fileprivate var realColumns: Set<StoredColumn> {
    Set(
      entityTables.flatMap { table in
        table.columns.filter { $0.declaredType == "FLOAT" }
          .map { StoredColumn($0.name, of: table.name) }
      }
    )
  }
}

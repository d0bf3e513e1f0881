internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Puts a step behind those of a leg, where one of them has a mapping model, and proves that what comes
/// of it is what one step after the other gives.
struct LegComposition {
  /// The layout of the store that is read.
  let layout: StoreLayout
  /// The tables of the store that is read.
  let file: FileSchema
  /// What the steps so far take over although no model explains it.
  let carriage: Carriage
  let objects: ObjectCarriage
  /// The version that the steps so far lead to.
  let version: StoreOutline
  /// What the further step does to it.
  let next: NextWork
  /// The partners that are chosen among several by the steps so far.
  let choices: [PartnerChoice]
  /// The columns of the store whose values the steps so far refuse to find in files.
  let externalColumns: [ExternalColumn]
  private let earlier: LegWork

  /// In which way objects are made, so that they are as the further step alone would make them.
  var style: InstanceStyle {
    let order = next.order
    // Behind a step that made objects anew no key leads nowhere.
    if case .mapped = earlier { return InstanceStyle(looksUpKeys: true, order: order) }
    return InstanceStyle(order: order)
  }

  /// - Throws: ``PlanError`` if the step cannot be done at all.
  init(_ work: LegWork, _ hop: MigrationHop) throws(PlanError) {
    earlier = work
    version = try work.outline()
    next = try NextWork(hop, of: version)
    switch work {
    case .inPlace(let work):
      (layout, file) = (work.layout, work.file)
      (choices, externalColumns) = (work.choices, work.externalColumns)
      (carriage, objects) = (work.carriage, work.objects)
    case .mapped(let work):
      (layout, file) = (work.layout, work.file)
      (choices, externalColumns) = (work.choices, work.externalColumns)
      (carriage, objects) = (work.carriage, work.objects)
    }
  }

  /// The work of all steps.
  ///
  /// - Returns: The work, or why the version must be made before the further step.
  func work() -> Result<MappedWork, FusionBarrier> {
    do throws(FusionBarrier) {
      let first = try earlierStep()
      try refuse(contradictions())
      let step = try MappingComposition(first, next.step).composed()
      try refuse(RuleProof(first, next.step).open())
      if case .mapped(let work) = earlier {
        try refuse(EvaluationProof(work.instances, next.step).open())
      }
      let instances = try instances(step)
      try refuse(BuildingProof(earlier, next, instances).differences())
      try refuse(openConstraints(instances))
      return .success(MappedWork(self, step, instances))
    } catch {
      return .failure(error)
    }
  }

  private func refuse(_ reasons: [String]) throws(FusionBarrier) {
    guard reasons.isEmpty else { throw FusionBarrier(reasons) }
  }

  /// The steps so far as one.
  private func earlierStep() throws(FusionBarrier) -> VersionStep {
    switch earlier {
    case .mapped(let work): return work.step
    case .inPlace(let work):
      var step = work.steps[0]
      for next in work.steps.dropFirst() { step = try MappingComposition(step, next).composed() }
      return step
    }
  }

  /// The relationships of the version that depend on the order in which they are assigned.
  private func contradictions() -> [String] {
    guard case .mapped(let work) = earlier else { return [] }
    return work.instances.contradictory.map {
      "what \($0.first) leads to follows from several assignments in the version before "
        + "\(next.step.name)"
    }
  }

  private func instances(_ step: VersionStep) throws(FusionBarrier) -> InstanceWork {
    do {
      return try InstanceWork(
        step.mapping,
        from: layout.schema,
        to: next.destination,
        style: style
      )
    } catch {
      throw FusionBarrier("the mappings as one cannot be carried out: \(error)")
    }
  }

  /// The uniqueness constraints of the version that neither the store nor the next version has.
  private func openConstraints(_ instances: InstanceWork) -> [String] {
    let open: [UniquenessProof.Constraint]
    switch earlier {
    case .inPlace(let work):
      open = UniquenessProof(file).open(
        work.indexStyle.uniqueness,
        work.transfers,
        next.indexStyle.uniqueness,
        instances.transfers
      )
    case .mapped(let work):
      // What is evaluated or filled by several mappings is not told by one transfer.
      let told = work.instances.tablesOfOneTransfer
      let constraints = work.indexStyle.uniqueness
      open =
        constraints.filter { !told.contains($0.table) }
        + UniquenessProof(file).open(
          constraints.filter { told.contains($0.table) },
          work.instances.transfers,
          next.indexStyle.uniqueness,
          instances.transfers
        )
    }
    return open.map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in the version before "
        + "\(next.step.name) only, which its rows must show"
    }
  }
}

package import BulkExecute
package import BulkPlan
internal import BulkModel
internal import BulkSupport
internal import BulkStore

/// Reports what a migration would find: objects that violate rules of the destination's model,
/// expressions that fail, links that are lost, and faults of the source.
///
/// The plan is carried out as far as it decides which objects are left out, so the numbers are those of a run
/// with `--on-error quarantine`. Nothing is written but temporary files with keys, links and the values that
/// rules refer to, which are removed.
@dynamicMemberLookup
package struct Preflight {
  package let plan: MigrationPlan
  /// The memory limit, the policies, and the treatment of objects that refer to one that is left out.
  package var settings: MigrationSettings
  /// From 0 to 1; `nil` for all keys.
  package var sample: Double?
  /// `nil` for that of the system.
  package var temporaryFolder: String?
  package var stopRequest: () -> StopRequest? = { nil }
  package var report: (PreflightProgress) -> Void = { _ in }

  package init(_ plan: MigrationPlan, _ settings: MigrationSettings = MigrationSettings()) {
    (self.plan, self.settings) = (plan, settings)
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<MigrationSettings, Value>) -> Value {
    get { settings[keyPath: path] }
    set { settings[keyPath: path] = newValue }
  }

  /// Reads the whole source, or a sample of it.
  ///
  /// Throws also if the source or a model is not what it was planned for, or if the limits are too
  /// small.
  package func run() throws -> PreflightReport {
    var result = PreflightReport(plan)
    result.sample = sample
    guard !plan.isUpToDate else {
      try plan.refuseUnreadableSource()
      return result
    }
    try plan.reading(plan.source.store, isStopped: { stopRequest() != nil }) { copy in
      let migration = try migration(copy: copy)
      let rehearsal = try Rehearsal(migration, in: temporaryFolder ?? TemporaryFiles.folder)
      let found = try rehearsal.run(keys)
      let work = rehearsal.work
      var survey = try SourceSurvey(self, work)
      result.findings =
        try RuleFindings(migration.plan, work, survey, isRefused: found.isRefused).findings(found)
        + LossFindings.findings(ofReplacementBy: plan, work) + LossFindings.findings(found)
      try survey.run(into: &result)
      let space = try SpaceEstimate.space(
        plan,
        work,
        externalBytes: plan.source.externalFiles?.bytes ?? 0,
        rejected: found.rejected
      )
      if let obstacle = DestinationObstacle(plan.destination.store) {
        let (path, reason) = (obstacle.path, obstacle.reason)
        result.findings.append(
          PreflightFinding(.destination, of: path, rule: reason, count: 1, outcome: .stops)
        )
      }
      result.findings += SpaceEstimate.findings(space) + SpaceEstimate.findings(ofCopy: plan)
      result.space = space
      result.legs =
        plan.hasSeveralLegs ? PreflightReport.Legs(seen: 1, all: plan.legs.count) : nil
      result.rejected =
        sample == nil && !found.isRefused && !plan.hasSeveralLegs ? found.rejected : nil
      result.unseen = unseen(work, survey)
    }
    return result
  }

  var keys: KeySample? { sample.map { KeySample(share: $0) } }

  /// The migration by the plan, or by that of the first leg of its route.
  private func migration(copy: SourceCopy?) throws -> Migration {
    var leg = plan
    if plan.hasSeveralLegs {
      leg = try plan.plan(
        ofSteps: plan.ranges[0],
        of: PersistentStore.planned(at: plan.source.store, copy: copy),
        destination: plan.destination.store,
        by: plan.steps(plan.ranges[0])
      ) { [policies = settings.policies] in policies.policy(named: $0) != nil }
    }
    var migration = Migration(leg, settings)
    migration.sourceCopy = copy
    migration.stateDirectory = nil
    migration.rejects = RejectPolicy(dependants: settings.rejects.dependants)
    migration.stopRequest = stopRequest
    migration.report = { [report] in
      report(PreflightProgress(stage: .evaluating, rowsDone: $0.rowsDone, rowsTotal: $0.rowsTotal))
    }
    return migration
  }

  private func unseen(_ work: MigrationWork, _ survey: SourceSurvey) -> [String] {
    var result = work.uncheckedRules
    if let sample {
      let percent = sample * 100
      let share = percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
      result.append(
        "rows: all but \(share) of the keys of each table, or about \(KeySample.leastRows) rows where "
          + "that is more"
      )
      result += survey.unseenEntities.map {
        "\($0): none of its rows is among those, if it has any"
      }
      result.append("uniqueness, links and their numbers: a sample of rows cannot tell")
    }
    if plan.hasSeveralLegs {
      let legs =
        plan.legs.count == 2
        ? "leg 2: it reads a store" : "legs 2 to \(plan.legs.count): they read stores"
      result.append(
        "\(legs) that a run makes first, so rules, expressions and losses there were not checked"
      )
    }
    if work.hasArchives { result.append("archives of transformable attributes: they are not read") }
    return result
  }

  func stopIfRequested() throws {
    if stopRequest() != nil { throw MigrationError.cancelled }
  }
}

extension MigrationWork {
  fileprivate var hasArchives: Bool {
    self.layout.schema.model.entities.contains { entity in
      entity.attributes.contains { $0.attributeType == .transformable && !$0.isTransient }
    }
  }
}

import BulkSupport
import BulkExecute
import BulkMigrate
import BulkPlan

extension Arguments {
  func preflight(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    return try context.stoppable(warning: "stopped; nothing is left behind") { stopping, progress in
      var settings = self.settings(context, memoryLimit, base)
      settings.rejects.dependants = dependants ?? .nullify
      let plan =
        try request.mappingFiles.isEmpty ? planToRun() : Planner.plan(request.knowing(context))
      var preflight = StoreMigration(of: plan, settings).preflight(by: plan)
      preflight.sample = keyShare
      // Nothing is kept, so nothing has to be finished first.
      preflight.stopRequest = { stopping.request.map { _ in .atOnce } }
      preflight.report = {
        progress.update(
          TaskProgress($0.stage.rawValue, $0.rowsDone, atMost: $0.rowsTotal, in: memoryLimit)
        )
      }
      let report = try preflight.run()
      progress.finish()
      try context.output.show(report, as: .preflight, report.lines)
      return isStrict && !report.isClear ? .badData : .done
    }
  }

  func verify(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    let plan = try planToRun()
    let earlier = try proofPath.flatMap { path in
      FileManager.default.fileExists(atPath: path) ? try Proof(contentsOf: path) : nil
    }
    if let proofPath, earlier == nil { try OutputTarget(proofPath, .new).refuse() }
    try refuseUnfinished(plan, context)
    if let salvage = plan.source.salvage { context.output.warning(salvage) }
    var settings = self.settings(context, memoryLimit, base)
    settings.stateDirectory = stateDirectory
    var verification = StoreMigration(of: plan, settings).verification(by: plan)
    verification.level = level
    verification.destination = request.destination.map { FilePath.absolute($0) }
    verification.scratchFolder = scratch.map { FilePath.absolute($0) }
    let hint = "stopped; the same command continues it"
    return try context.stoppable(warning: hint) { stopping, progress in
      verification.stopRequest = { stopping.request }
      verification.report = {
        progress.update(
          TaskProgress($0.stage.rawValue, $0.rowsDone, atMost: $0.rowsTotal, in: memoryLimit)
        )
      }
      var report = try verification.run()
      if let earlier { report = try verification.compare(report, against: earlier) }
      let isWritten = proofPath != nil && earlier == nil
      let proof = report.isVerified && isWritten ? try verification.proof(of: report) : nil
      progress.finish()
      try context.output.show(report, as: .verification, report.lines)
      if request.destination == nil { keep(report, plan, context.output) }
      if let proofPath, isWritten { try write(proof, to: proofPath, context.output) }
      return report.isVerified ? .done : .verificationFailed
    }
  }

  /// Keeps what was found for status and report, where the migration keeps a receipt.
  private func keep(_ report: VerificationReport, _ plan: MigrationPlan, _ output: Output) {
    let store = plan.destination.store
    let found = MigrationRecord.Verification(
      level: report.level.rawValue,
      isVerified: report.isVerified,
      differences: report.differenceCount
    )
    do {
      let location = StateLocation(destination: store, stateDirectory: stateDirectory)
      try MigrationRecord.keep(found, of: store, in: location)
    } catch {
      output.warning("status and report will not show this verification: \(error)")
    }
  }

  private func refuseUnfinished(
    _ plan: MigrationPlan,
    _ context: CommandContext
  ) throws(Refusal) {
    let store = plan.destination.store
    guard request.destination == nil, !FileManager.default.fileExists(atPath: store) else { return }
    let location = StateLocation(destination: store, stateDirectory: stateDirectory)
    let reason =
      switch MigrationRecord(location, of: plan).state {
      case .running:
        " yet: its migration is still running; \(context.program) status tells how far it is"
      case .interrupted:
        " yet: its migration was interrupted; go on with: \(context.program) resume"
      case .none, .abandoned, .done: "; \(context.program) run makes it"
      }
    throw Refusal(.noInput, "\(store) is not there\(reason)")
  }

  private func write(_ proof: Proof?, to path: String, _ output: Output) throws {
    guard let proof else {
      return output.warning("no proof is written, since not all is as it should be")
    }
    try OutputTarget(path, .new).write(StableJSON.document(proof) + "\n")
    output.note("proof written to \(path)")
  }
}

extension ProofError: ErrorWithExitCode {
  var exitCode: ExitCode { isMissing ? .noInput : .badData }
}

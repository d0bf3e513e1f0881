import BulkCoding
import BulkExecute
import BulkMigrate
import BulkPlan
import BulkPlatform
import BulkVerify
import BulkVersions

struct VerifyCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  var planPath: String?
  var level = VerificationLevel.quick
  var destination: String?
  var scratchFolder: String?
  var stateDirectory: String?
  var maxMemory = MigrationCommand.usualMemory
  var proofPath: String?

  static let table = OptionTable(
    command: "verify",
    summary: "Prove that a destination is what the plan says of its source.",
    explanation: """
      Reads the destination of a plan, and the source, and changes neither. Level quick checks the store \
      itself: its structure with all indexes, metadata, keys, entity numbers, references, and the files of \
      external values. Inferred migrations keep references that lead nowhere, so of these no more may do so than in the \
      source. Level full makes the store a second time in another way, beside the destination: \
      nothing is written as pages, and filters and values of mapping models are evaluated row by row. Then it \
      compares every row and names every difference: entity, key, property, expected, found, and the \
      source object; also constraints, the model that the store keeps, and external files that nothing expects, and what of the \
      source is neither read nor counted as lost. It needs as much room as the destination; an interrupted one is resumed by the next. \
      At both levels it checks what "expect" in the mapping file says of the destination: counts of objects, \
      and predicates that they satisfy. It ends with 0 if nothing differs and all of it holds, else with 4.
      """,
    examples: [
      "bulkmigrate verify": "Check the destination of the plan in this folder.",
      "bulkmigrate verify --level full --proof proof.json":
        "Compare every row, and keep a record that can be checked later.",
      "bulkmigrate verify --proof proof.json": "See whether it is still the same.",
      "bulkmigrate verify --level full --destination Other.sqlite":
        "Verify a store that somebody else made from the same source.",
    ],
    results: [.verification],
    defaults: VerifyCommand(),
    options: PolicyOptions.rows.within(\VerifyCommand.policies) + [
      .value("plan", "FILE", \.planPath).help("The plan by which the destination was made."),
      .value("level", "LEVEL", \.level).help("quick or full, see above."),
      .value("destination", "STORE", \.destination).help(
        "The store to verify in place of the plan's destination."
      ),
      .value("max-memory", short: "m", "SIZE", \.maxMemory).help("Memory the process may hold."),
      .value("state-dir", "DIR", \.stateDirectory).help(
        "The state directory of the migration, where it is not beside the destination."
      ),
      .value("scratch", "DIR", \.scratchFolder).help(
        "A folder for the expected store, to be made or empty; without it one beside the destination."
      ),
      .value("proof", "FILE", \.proofPath).help(
        "Write a record of what was verified; compare with it as well where it exists already."
      ),
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    let plan = try PlanFinder(planPath: planPath).planToRun()
    let earlier = try proofPath.flatMap { path in
      FileManager.default.fileExists(atPath: path) ? try Proof(contentsOf: path) : nil
    }
    if let proofPath, earlier == nil { try OutputTarget(proofPath, .new).refuse() }
    try refuseUnfinished(plan, context)
    if let salvage = plan.source.salvage { context.output.warning(salvage) }
    var settings = context.settings(maxMemory, base)
    settings.stateDirectory = stateDirectory
    var verification = StoreMigration(of: plan, settings).verification(by: plan)
    verification.level = level
    verification.destination = destination.map { FilePath.absolute($0) }
    verification.scratchFolder = scratchFolder.map { FilePath.absolute($0) }
    let hint = "stopped; the same command continues it"
    return try context.stoppable(warning: hint) { stopping, progress in
      verification.stopRequest = { stopping.request }
      verification.report = {
        progress.update(
          TaskProgress($0.stage.rawValue, $0.rowsDone, atMost: $0.rowsTotal, in: maxMemory)
        )
      }
      var report = try verification.run()
      if let earlier { report = try verification.compare(report, against: earlier) }
      let isWritten = proofPath != nil && earlier == nil
      let proof = report.isVerified && isWritten ? try verification.proof(of: report) : nil
      progress.finish()
      try context.output.show(report, as: .verification, report.lines)
      if destination == nil { keep(report, plan, context.output) }
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

  /// Refuses a destination that no run has published.
  private func refuseUnfinished(
    _ plan: MigrationPlan,
    _ context: CommandContext
  ) throws(Refusal) {
    let store = plan.destination.store
    guard destination == nil, !FileManager.default.fileExists(atPath: store) else { return }
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

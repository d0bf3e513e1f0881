internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform

/// The arguments of `bulkmigrate plan`.
struct PlanArguments: PlanningArguments {
  var output = OutputOptions()
  var request = PlanRequest()
  /// The stores to read.
  var sources: [String] = []
  /// A file that lists stores, or `-` for standard input.
  var sourceList: String?
  /// The file for the plan.
  var planPath = PlanCommand.defaultPlanPath
  /// The limit of losses.
  var maxLoss = LossLimit.all
  /// Whether the exit code shows that there is work, or a difference.
  var hasDetailedExitCode = false
  /// Whether to show why entities are in one pass.
  var explains = false
  /// How much to print; by default that depends on the number of entities.
  var extent: PlanText.Extent?
  /// The plan to compare with ``otherPlan``.
  var comparedPlan: String?
  /// The second plan of a comparison; without it the compared one is made again.
  var otherPlan: String?
}

/// `bulkmigrate plan`: shows what a migration would do, and writes the plan.
enum PlanCommand {
  /// The file that `plan` writes and `run` reads by default.
  static let defaultPlanPath = "bulkmigrate.plan.json"

  static let command = Command(table) { arguments, context in
    try context.reporting(arguments.sources.first, asJSON: arguments.output.isJSON) {
      try run(arguments, context)
    }
  }

  private static let table = OptionTable(
    command: "plan",
    summary: "Show what a migration would do, and write it down as a plan.",
    explanation: """
      Reads the models and the source's metadata, takes from a mapping how the entities map or \
      infers it, counts rows, and divides the work into passes. Nothing but the plan is written. What an option names wins over \
      the mapping file. A model is named by an .xcdatamodel, an .xcdatamodeld or .momd (its current \
      version), a .mom, or a store that keeps its model.
      """,
    examples: [
      Example("bulkmigrate plan --mapping all.json", "Plan what a mapping file describes."),
      Example(
        "bulkmigrate plan --source Books.sqlite --destination Books-v3.sqlite"
          + " --mapping Books.xcmappingmodel --mapping Users.xcmappingmodel",
        "Plan one migration by two mapping models, each in passes of its own."
      ),
      Example(
        "bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite"
          + " --destination-model Notes.xcdatamodeld",
        "Plan the migration to the current version of a model."
      ),
      Example(
        "bulkmigrate plan --source Notes.sqlite --destination Notes-now.sqlite"
          + " --models Notes.xcdatamodeld --mappings Mappings",
        "Find out which version the store is, and plan the route to the current one."
      ),
      Example(
        "bulkmigrate plan --sources stores.txt --models Notes.xcdatamodeld --mappings Mappings",
        "See of many stores which version each is, and what its migration costs."
      ),
      Example(
        "bulkmigrate plan --diff bulkmigrate.plan.json",
        "See what has changed since a plan was made: entities, counts, losses and cost."
      ),
    ],
    results: [.plan, .planDifferences, .forecasts, .failure],
    defaults: PlanArguments(),
    options: PlanRequest.mappingOptions() + [
      .values(
        "source",
        "STORE",
        "The store to read. Of several stores, a table shows the route of each; no plan is written."
      ) { $0.sources.append($1) },
      .value("sources", "FILE", "A list of stores, one a line; - is standard input.") {
        $0.sourceList = $1
      },
    ] + PlanRequest.options() + [
      .value(
        "max-loss",
        "N",
        "How many objects, values and links may be lost: none, a number, or all. Beyond it no plan is "
          + "written."
      ) { $0.maxLoss = try LossLimit(parsing: $1) }.among(["none", "all"]).usually("all"),
      .flag(
        "explain",
        "Show for each pass which references tie its entities together, and which single one, resolved "
          + "afterwards through association tables, would let it fall apart."
      ) { $0.explains = true },
      .flag(
        "summary",
        "Print a line for each pass and what changes; the default above \(PlanText.fullLimit) entities."
      ) { $0.extent = .summary },
      .flag("full", "Print every entity, and passes without rows.") { $0.extent = .full },
      .value("output", short: "o", "PLAN", "Where to write the plan.") { $0.planPath = $1 }
        .usually(defaultPlanPath),
      .flag(
        "detailed-exitcode",
        "End with 2 if there is work to do, or a difference, and with 0 if there is none."
      ) {
        $0.hasDetailedExitCode = true
      },
      .value(
        "diff",
        "PLAN",
        "Show what another plan says differently: OTHER, or the one that the same stores, models and "
          + "mappings give now. Nothing is written."
      ) { $0.comparedPlan = $1 },
    ],
    operands: [.optional("OTHER", "The plan that --diff compares with PLAN.") { $0.otherPlan = $1 }]
  )

  private static func run(_ arguments: PlanArguments, _ context: CommandContext) throws -> ExitCode
  {
    let base = ProcessMemory.resident
    var request = arguments.request
    request.knowsPolicy = { context.policies.policy(named: $0) != nil }
    request.knowsTransformer = { context.policies.hasTransformer(named: $0) }
    if let path = arguments.comparedPlan {
      return try compare(path, arguments, context, knowsPolicy: request.knowsPolicy)
    }
    if let other = arguments.otherPlan { throw UsageError.superfluousOperand(other) }
    guard arguments.sources.count <= 1, arguments.sourceList == nil else {
      return try FleetReport(arguments, request, context).run()
    }
    request.source = arguments.sources.first
    try refuse(arguments.planPath)
    let progress = context.output.progress()
    request.report = { progress.update(ProgressSnapshot($0)) }
    defer { progress.finish() }
    let plan = try Planner.plan(request)
    progress.finish()
    guard arguments.maxLoss.allows(plan.losses.certain) else {
      throw MigrationError.tooMuchLost(plan.losses, limit: arguments.maxLoss, isMade: false)
    }
    for line in DecisionText(plan).lines { context.output.decision(line) }
    try write(plan, to: arguments.planPath)
    if !plan.isUpToDate, FileManager.default.fileExists(atPath: plan.destination.store) {
      context.output.warning(
        "\(plan.destination.store) already exists; run will not overwrite it"
      )
    }
    let smallestLimit = base.map { plan.smallestMemoryLimit(base: $0, margin: .mebibytes(1)) }
    let explanation = arguments.explains ? try PassExplanation(plan) : nil
    if arguments.output.isJSON {
      var printed = plan
      printed.memory.smallestLimitBytes = smallestLimit?.bytes
      try context.output.json(ExplainedPlan(printed, explanation), as: .plan)
    } else {
      let text = PlanText(plan, smallestLimit: smallestLimit, arguments.extent)
      let lines = text.lines + (explanation.map { ExplanationText($0).lines } ?? [])
      try context.output.result(lines)
      context.output.note(next(plan, arguments.planPath, context.program))
    }
    return arguments.hasDetailedExitCode && !plan.isUpToDate ? .workFound : .done
  }

  /// Compares a plan with another one, or with the one that its inputs give now.
  private static func compare(
    _ path: String,
    _ arguments: PlanArguments,
    _ context: CommandContext,
    knowsPolicy: (@Sendable (String) -> Bool)?
  ) throws -> ExitCode {
    let plan = try MigrationPlan(contentsOf: path)
    let other =
      try arguments.otherPlan.map { try MigrationPlan(contentsOf: $0) }
      ?? plan.plannedAgain(knowsPolicy: knowsPolicy)
    let differences = plan.differences(to: other)
    if arguments.output.isJSON {
      try context.output.json(["differences": differences], as: .planDifferences)
    } else {
      try context.output.result(PlanDifferenceText(differences).lines)
    }
    return arguments.hasDetailedExitCode && !differences.isEmpty ? .workFound : .done
  }

  /// Refuses to overwrite a file that is not a plan.
  private static func refuse(_ path: String) throws(MigrationError) {
    guard FileManager.default.fileExists(atPath: path) else {
      return try OwnFile.refuseFolder(of: path)
    }
    guard !MigrationPlan.isPlan(path) else { return }
    throw .cannotCreate(
      path: path,
      reason: "it already exists and is no plan, so it is not overwritten; name another --output"
    )
  }

  private static func write(_ plan: MigrationPlan, to path: String) throws {
    try OwnFile.write(String(decoding: plan.encoded(), as: UTF8.self), to: path)
  }

  private static func next(_ plan: MigrationPlan, _ path: String, _ program: String) -> String {
    guard !plan.isUpToDate else { return "nothing has to be run" }
    let option = path == defaultPlanPath ? "" : " --plan \(ShellWord.quoted(path))"
    return "plan written to \(path); to do exactly this, type: \(program) run\(option)"
  }
}

internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform

struct PlanCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var request = PlanRequest()
  var policies = PolicyOptions()
  var planPath = PlanCommand.defaultPlanPath
  /// The limit beyond which no plan is written; `nil` to write the plan with what it loses.
  var maxLoss: LossLimit?
  /// Whether the exit code shows that there is work, or a difference.
  var hasDetailedExitCode = false
  /// Whether to print everything; otherwise it depends on the number of entities.
  var isFull = false
  var isMarkdown = false
  /// The plan to compare with ``plan``, or with its inputs planned again.
  var comparedPlan: String?
  /// A plan to show, or the second one of a comparison.
  var plan: String?

  /// The file that `plan` writes and `run` reads by default.
  static let defaultPlanPath = "bulkmigrate.plan.json"

  static let table = OptionTable(
    command: "plan",
    summary: "Preview a migration and write the plan, or show a plan.",
    explanation: """
      Reads the models and the source's metadata, takes from a mapping how the entities map or \
      infers it, counts rows, and divides the work into passes. Nothing but the plan is written. What an option names wins over \
      the mapping file. A model is named by an .xcdatamodel, an .xcdatamodeld or .momd (its current \
      version), a .mom, or a store that keeps its model. --quiet prints warnings alone. With PLAN that plan is shown \
      again, and nothing is written.
      """,
    examples: [
      "bulkmigrate plan --mapping all.json": "Plan what a mapping file describes.",
      "bulkmigrate plan --source Books.sqlite --destination Books-v3.sqlite"
        + " --mapping Books.xcmappingmodel --mapping Users.xcmappingmodel":
        "Plan one migration by two mapping models, each in passes of its own.",
      "bulkmigrate plan --source Notes.sqlite --destination Notes-v2.sqlite"
        + " --destination-model Notes.xcdatamodeld":
        "Plan the migration to the current version of a model.",
      "bulkmigrate plan --source Notes.sqlite --destination Notes-now.sqlite"
        + " --models Notes.xcdatamodeld --mappings Mappings":
        "Find out which version the store is, and plan the route to the current one.",
      "bulkmigrate plan bulkmigrate.plan.json --full": "Show every entity of a plan.",
      "bulkmigrate plan --diff bulkmigrate.plan.json":
        "See what has changed since a plan was made: entities, counts, losses and cost.",
    ],
    results: [.plan, .planDifferences, .record],
    defaults: PlanCommand(),
    options: PlanRequest.mappingOptions.within(\PlanCommand.request) + sourceOption
      + PlanRequest.options.within(\PlanCommand.request)
      + PolicyOptions.rows.within(\PlanCommand.policies) + ownOptions,
    operands: [
      .optional("PLAN", "A plan to show, or to compare with that of --diff.", \.plan)
    ]
  )

  private static let sourceOption: [OptionRow<PlanCommand>] = [
    .value("source", "STORE", \.request.source).help("The store to read.")
  ]

  private static let ownOptions: [OptionRow<PlanCommand>] = [
    .value("max-loss", "N", \.maxLoss).help(
      "How many objects, values and links may be lost: none, a number, or all. Beyond it no plan is "
        + "written. Without it every plan is written, and says which limit run needs."
    ),
    .flag("full", \.isFull).help(
      "Print every entity, even if there are more than \(PlanText.fullLimit), passes without rows, and how the memory is "
        + "divided."
    ),
    .flag("markdown", \.isMarkdown).help("Print tables in Markdown, for a pull request."),
    .value("output", short: "o", "PLAN", \.planPath).help("Where to write the plan."),
    .flag("detailed-exitcode", \.hasDetailedExitCode).help(
      "End with 2 if there is work to do, or a difference, and with 0 if there is none."
    ),
    .value("diff", "PLAN", \.comparedPlan).help(
      "Show the differences to another plan: the one named, or that of the same stores, models and mappings now. "
        + "Nothing is written."
    ),
  ]

  func run(_ context: CommandContext) throws -> ExitCode {
    try context.reporting(request.source) { try plan(context) }
  }

  private func plan(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    var request = request.knowing(context)
    if let path = comparedPlan { return try compare(path, context) }
    if isMarkdown, context.output.isJSON {
      throw UsageError("--markdown and --json exclude each other")
    }
    if let path = self.plan {
      try show(try shown(path), base, context.output)
      return .done
    }
    let target = OutputTarget(planPath, .plan)
    try target.refuse()
    let progress = context.output.progress()
    request.report = { progress.update(TaskProgress($0)) }
    defer { progress.finish() }
    let plan = try Planner.plan(request)
    progress.finish()
    if let maxLoss, !maxLoss.allows(plan.losses.certain) {
      throw MigrationError.tooMuchLost(plan.losses, limit: maxLoss, isMade: false)
    }
    context.output.decisions(of: plan)
    try target.write(String(decoding: try plan.encoded(), as: UTF8.self))
    if !plan.isUpToDate, FileManager.default.fileExists(atPath: plan.destination.store) {
      context.output.warning(
        "\(plan.destination.store) already exists; run will not overwrite it"
      )
    }
    // The plan is the result; its text is for people.
    if !context.output.isQuiet || context.output.isJSON {
      try show(plan, base, context.output)
    }
    if !context.output.isJSON { context.output.note(next(plan, context.program)) }
    return hasDetailedExitCode && !plan.isUpToDate ? .workFound : .done
  }

  /// Prints a plan; from `base`, the memory that the process held before it read anything, follows the smallest limit of
  /// memory.
  private func show(_ plan: MigrationPlan, _ base: ByteCount?, _ output: Output) throws {
    let smallestLimit = base.map { plan.smallestMemoryLimit(base: $0, margin: .mebibytes(1)) }
    var printed = plan
    printed.memory.smallestLimitBytes = smallestLimit?.bytes
    if output.isJSON { return try output.json(printed, as: .plan) }
    let text = PlanText(plan, smallestLimit: smallestLimit, isFull: isFull)
    if isMarkdown { return try output.result(text.lines(isMarkdown: true)) }
    try output.result(text.lines(), PlanText.style)
  }

  /// The plan to show.
  ///
  /// - Throws: ``UsageError`` for another file that an option takes.
  private func shown(_ path: String) throws -> MigrationPlan {
    guard FileManager.default.fileExists(atPath: path), MigrationPlan.isPlan(path) else {
      let option = path.hasSuffix(".json") ? "--mapping" : "--source"
      throw UsageError("\(path) is not a plan; did you mean \(option) \(ShellWord.quoted(path))?")
    }
    return try PlanFinder.named(path)
  }

  /// Compares a plan with another one, or with a new one from its inputs.
  private func compare(_ path: String, _ context: CommandContext) throws -> ExitCode {
    let plan = try PlanFinder.named(path)
    let other =
      try self.plan.map { try PlanFinder.named($0) }
      ?? plan.plannedAgain(knowsPolicy: context.knowsPolicy)
    let differences = plan.differences(to: other)
    try context.output.show(["differences": differences], as: .planDifferences, differences.lines)
    return hasDetailedExitCode && !differences.isEmpty ? .workFound : .done
  }

  private func next(_ plan: MigrationPlan, _ program: String) -> String {
    guard !plan.isUpToDate else { return "nothing has to be run" }
    let isUsual = planPath == Self.defaultPlanPath
    let option = isUsual ? "" : " --plan \(ShellWord.quoted(planPath))"
    let limit = plan.losses.neededLimit.map { " --max-loss \($0)" } ?? ""
    return "plan written to \(planPath); to do exactly this, type: \(program) run\(option)\(limit)"
  }
}

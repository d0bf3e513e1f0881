internal import BulkPlan
import BulkSupport
import BulkExecute

extension Arguments {
  func plan(_ context: CommandContext) throws -> ExitCode {
    try context.reporting(request.source) { try planOrShow(context) }
  }

  private func planOrShow(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    var request = request.knowing(context)
    if let path = comparedPlan { return try compare(path, context) }
    if let path = migration {
      let plan = try shown(path)
      try show(plan, base, context.output)
      return code(of: plan)
    }
    let path = outputPath ?? Self.usualPlanPath
    let target = OutputTarget(path, .plan)
    if path != "-" { try target.refuse() }
    let progress = context.output.progress()
    request.report = { progress.update(TaskProgress($0)) }
    defer { progress.finish() }
    let plan = try Planner.plan(request)
    progress.finish()
    if let maxLoss, !maxLoss.allows(plan.losses.certain) {
      throw MigrationError.tooMuchLost(plan.losses, limit: maxLoss, .nothing)
    }
    context.output.decisions(of: plan)
    let text = String(decoding: try plan.encoded(), as: UTF8.self)
    guard path != "-" else {
      try context.output.result(String(text.dropLast()))
      return code(of: plan)
    }
    try target.refuse(protecting: plan.stores)
    try target.write(text)
    if !plan.isUpToDate, FileManager.default.fileExists(atPath: plan.destination.store) {
      context.output.warning(
        "\(plan.destination.store) already exists; run will not overwrite it"
      )
    }
    // The plan is the result; its text is for people.
    if !context.output.isQuiet || context.output.isJSON {
      try show(plan, base, context.output)
    }
    if !context.output.isJSON { context.output.note(next(plan, at: path, context.program)) }
    return code(of: plan)
  }

  private func code(of plan: MigrationPlan) -> ExitCode {
    hasDetailedExitCode && !plan.isUpToDate ? .workFound : .done
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
    return try Self.plan(named: path)
  }

  private func compare(_ path: String, _ context: CommandContext) throws -> ExitCode {
    let plan = try Self.plan(named: path)
    let other =
      try migration.map { try Self.plan(named: $0) }
      ?? plan.plannedAgain { $0.knowsPolicy = context.knowsPolicy }
    let differences = plan.differences(to: other)
    try context.output.show(["differences": differences], as: .planDifferences, differences.lines)
    return hasDetailedExitCode && !differences.isEmpty ? .workFound : .done
  }

  private func next(_ plan: MigrationPlan, at path: String, _ program: String) -> String {
    guard !plan.isUpToDate else { return "nothing has to be run" }
    let option = path == Self.usualPlanPath ? "" : " --plan \(ShellWord.quoted(path))"
    return
      "plan written to \(path); to do exactly this, type: \(program) run\(option)\(plan.limitOption)"
      + (plan.uncountedLosses.map { "; \($0)" } ?? "")
  }
}

extension MigrationPlan {
  /// The option that allows the losses that are counted, behind a space; empty where none is needed.
  var limitOption: String { losses.neededLimit.map { " --max-loss \($0)" } ?? "" }
}

extension [PlanDifference] {
  var lines: [String] {
    guard !isEmpty else { return ["no difference"] }
    return table(
      .left("SUBJECT") { $0.subject },
      .left("WHAT") { $0.aspect.name },
      .left("BEFORE") { $0.aspect.text($0.before) },
      .left("AFTER") { $0.aspect.text($0.after) }
    )
  }
}

extension PlanDifference.Aspect {
  fileprivate func text(_ value: String?) -> String {
    guard let value else { return "-" }
    switch self {
    case .rows, .rowsLost: return Int64(value).map(\.grouped) ?? value
    case .bytes, .memory: return Int64(value).map { "\(ByteCount(bytes: $0))" } ?? value
    default: return value
    }
  }

  fileprivate var name: String {
    switch self {
    case .rowsLost: "rows lost"
    case .forEach: "for each"
    default: rawValue
    }
  }
}

extension Output {
  func decisions(of plan: MigrationPlan) {
    guard reportsDecisions else { return }
    for line in plan.decisions { decision(line) }
  }
}

extension MigrationPlan {
  fileprivate var decisions: [String] {
    let models = [
      "plan \(fingerprint)", "the source was written by \(source.model.sentencePart)",
      "the destination gets \(destination.model.sentencePart)",
    ]
    guard !isUpToDate else { return models + ["nothing is done: the source fits that model"] }
    return models + mappingDecisions
      + (strategy.map { ["\($0.kind.rawValue): \($0.reason)"] } ?? [])
      + ["\(passes.count.phrase("pass", "passes")): \(passes.map(\.name).joined(separator: ", "))"]
      + ((try? workLines()) ?? []).map { "work: \($0)" }
  }

  private var mappingDecisions: [String] {
    let steps = mappings.enumerated().map { index, mapping in
      let files = mapping.files.joined(separator: " and ")
      let inferred = mapping.infer == "none" ? "nothing is inferred" : "the rest is inferred"
      return
        "step \(index + 1) follows \(files.isEmpty ? "from the models alone" : "\(files); \(inferred)")"
    }
    return steps
      + zip(ranges, legs).flatMap { range, leg in
        leg.boundary.map { "steps end a leg with step \(range.upperBound): \($0)" }
      }
  }
}

extension MigrationPlan.ModelInput {
  fileprivate var sentencePart: String {
    "the model \(isInStore ? "kept in " : "")\(path), digest \(digest)"
  }
}

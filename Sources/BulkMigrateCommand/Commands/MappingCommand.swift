import BulkMapping
import BulkExecute
import BulkPlan
import BulkPlatform
import BulkPreflight

struct MappingCommand: ParsableCommand {
  enum Task: String {
    case convert
    case start
    case check
    case attempt = "try"
    /// Compare one with ``MappingCommand/other``.
    case compare = "diff"
    /// Write the beginning of the policy ``MappingCommand/other`` in another language.
    case policy

    fileprivate var writesFile: Bool { ![.check, .attempt, .compare].contains(self) }
    fileprivate var takesOther: Bool { [.compare, .policy].contains(self) }
  }

  var output = OutputOptions()
  var tasks: [Task] = []
  /// The mapping file of the task.
  var file = ""
  var language = PolicyTemplate.python
  var sourceModel: String?
  var destinationModel: String?
  /// The file for the result; standard output by default.
  var path: String?
  /// The second mapping file of a comparison, or the name of a policy.
  var other: String?
  /// The store to read; `nil` for the one that the file names.
  var source: String?
  /// The entity mapping, or the entity of some, to try; `nil` for all.
  var entity: String?
  var sample = SampleOptions()

  static let table = OptionTable(
    command: "mapping",
    summary: "Start, convert, check, try or compare mapping files.",
    explanation: """
      A mapping file says how the objects of one model become those of another: JSON as \
      Plans/schemas/mapping.schema.json describes it, or what Xcode writes, an .xcmappingmodel or a compiled \
      .cdm. --init writes a file with everything that can be inferred between two models; a value \
      "?" has to be replaced by an expression, and null keeps the model's default value. Merges, splits \
      and new names of entities that the models suggest by equal attributes are listed, and carried out in \
      a second file, NAME.proposed.json beside NAME.json: use whichever is right. --convert \
      turns any mapping into JSON that says all of it and leaves nothing to be inferred; where a model \
      that Xcode recorded cannot be read, or does not have what the mapping names, its copy in the \
      mapping takes its place. --check \
      lists every fault with line and column, whatever plan would refuse among them: values that \
      cannot be evaluated, selectors and policies that are not known. Then it lists what is perhaps \
      not meant: models that changed since Xcode saved the mapping, objects that two mappings make \
      from the same rows, required attributes without a value, properties and entities that are \
      lost. It ends with 65 if something keeps the mapping from being carried \
      out, and with 0 if there are warnings at most. --try shows some objects of the source before and after, \
      side by side, with every expression and its value, or its error with line and column; an expression \
      that fails hides no other. It reads only what it shows, at most 1,000 pages of the store; with --where \
      it stops when enough objects are found, or after 1,000,000 rows, and says so. It makes no store: related objects \
      of the destination, rules of the model and policies need a run, or preflight. It ends with 65 if \
      something that is shown fails. --diff lists what another mapping says differently, \
      entity mapping by entity mapping, after what both leave out is filled in. Models are named by options, by the file, or \
      found beside the mapping as Xcode recorded them; else the copies in the mapping are used.
      """,
    examples: [
      "bulkmigrate mapping --init --source-model Old.xcdatamodel --destination-model New.xcdatamodel"
        + " --output all.json":
        "Begin a mapping file, to be edited.",
      "bulkmigrate mapping --check all.json": "See what is wrong or missing in it.",
      "bulkmigrate mapping --try all.json --source Notes.sqlite --sample 2":
        "See what it makes of two objects of each entity.",
      "bulkmigrate mapping --convert V2toV3.xcmappingmodel --output v2-v3.json":
        "Turn a mapping of Xcode into JSON.",
      "bulkmigrate mapping --diff V2toV3.xcmappingmodel v2-v3.json": "See what was changed.",
    ],
    results: [.mapping, .mappingFindings, .mappingTrial, .mappingDifferences, .written],
    defaults: MappingCommand(),
    options: [
      .value("convert", "FILE", "Write a mapping file as JSON.") { $0.add(.convert, $1) },
      .flag("init", "Write the beginning of a mapping between two models.") {
        $0.add(.start)
      },
      .value("check", "FILE", "List what is wrong with a mapping file.") {
        $0.add(.check, $1)
      },
      .value("try", "FILE", "Show some objects before and after.") {
        $0.add(.attempt, $1)
      },
      .value("diff", "FILE", "List what OTHER says differently.") { $0.add(.compare, $1) },
      .word(
        "init-policy",
        "LANGUAGE",
        "Write the beginning of the policy OTHER as a program for --policy: python."
      ) { (command, language: PolicyTemplate) in
        command.add(.policy)
        command.language = language
      },
      .value("source-model", "MODEL", "The model that objects come from.") { $0.sourceModel = $1 },
      .value("destination-model", "MODEL", "The model that they go to.") {
        $0.destinationModel = $1
      },
      .value("output", short: "o", "OUT", "The file to write; it must not be there yet.") {
        $0.path = $1
      },
      .value("source", "STORE", "The store that --try reads; without it the one that FILE names.") {
        $0.source = $1
      },
      .value(
        "entity",
        "NAME",
        "Try only what an entity mapping, or those from or to an entity, makes."
      ) {
        $0.entity = $1
      },
    ] + SampleOptions.rows.within(\MappingCommand.sample),
    operands: [
      .optional(
        "OTHER",
        "The mapping file that --diff compares with FILE, or the policy that --init-policy begins."
      ) { $0.other = $1 }
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    guard let task = tasks.first, tasks.count == 1 else {
      throw UsageError("pass one of --init, --convert, --check, --try, --diff and --init-policy")
    }
    if let other, !task.takesOther { throw UsageError.superfluousOperand(other) }
    if task != .attempt, entity != nil || sample.choice.predicate != nil {
      throw UsageError("--entity and --where need --try FILE")
    }
    if path != nil, !task.writesFile {
      throw UsageError("--\(task.rawValue) writes no file; leave out --output")
    }
    switch task {
    case .convert: return try convert(context.output)
    case .start: return try start(context.output)
    case .check: return try check(context)
    case .attempt: return try attempt(context)
    case .compare: return try compare(context.output)
    case .policy:
      guard let other else { throw UsageError.missingOperand("NAME") }
      try write(language.text(other), as: "policy", context.output)
      return .done
    }
  }

  private mutating func add(_ task: Task, _ file: String = "") {
    tasks.append(task)
    self.file = file
  }

  private func convert(_ output: Output) throws -> ExitCode {
    let (text, warnings) = try workbench(file).json(in: folder)
    try write(text, output)
    for warning in warnings { output.warning(warning) }
    return .done
  }

  private func start(_ output: Output) throws -> ExitCode {
    guard let sourceModel, let destinationModel else {
      throw UsageError("--init needs --source-model and --destination-model")
    }
    let starter = try MappingWorkbench.starter(
      from: sourceModel,
      to: destinationModel,
      in: folder
    )
    try write(starter.text, output)
    for refusal in starter.refusals {
      let place = [refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".")
      output.note("to be decided: \(place): \(refusal.reason)")
    }
    for proposal in starter.proposals { output.note("to be considered: \(proposal)") }
    if let proposed = starter.proposed, let path {
      let path = URL(fileURLWithPath: path).deletingPathExtension().path + ".proposed.json"
      try OwnFile.writeNew(proposed, to: path)
      output.note("mapping with all of these carried out written to \(path)")
    }
    return .done
  }

  private func compare(_ output: Output) throws -> ExitCode {
    guard let other else { throw UsageError.missingOperand("OTHER") }
    let models = try [file, other].map { try workbench($0).mappingModel().model }
    let differences = models[0].differences(to: models[1])
    return try output.show(
      ["differences": differences],
      as: .mappingDifferences,
      differences.lines
    )
  }

  private func check(_ context: CommandContext) throws -> ExitCode {
    let findings = try workbench(file).findings(
      knowsPolicy: context.knowsPolicy,
      knowsTransformer: context.knowsTransformer
    )
    try context.output.show(
      ["findings": findings],
      as: .mappingFindings,
      findings.isEmpty
        ? ["\(file): nothing found"]
        : findings.map { $0.line == nil ? "\(file): \($0)" : "\(file):\($0)" }
    )
    return findings.contains { $0.severity == .error } ? .badData : .done
  }

  private func attempt(_ context: CommandContext) throws -> ExitCode {
    var trial = MappingTrial(file)
    (trial.store, trial.entity) = (source, entity)
    (trial.sourceModel, trial.destinationModel) = (sourceModel, destinationModel)
    trial.choice = sample.choice
    trial.choice.transformers = context.policies.transformers
    let report = try trial.run()
    try context.output.show(
      report,
      as: .mappingTrial,
      report.lines(isMarkdown: sample.isMarkdown)
    )
    return report.isSound ? .done : .badData
  }

  private func workbench(_ file: String) throws -> MappingWorkbench {
    try MappingWorkbench(file, sourceModel: sourceModel, destinationModel: destinationModel)
  }

  /// The folder of the file to write.
  private var folder: String {
    path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "."
  }

  private func write(_ text: String, as kind: String = "mapping", _ output: Output) throws {
    guard let path else { return try output.result(String(text.dropLast())) }
    try OwnFile.writeNew(text, to: path)
    if output.isJSON {
      try output.json(WrittenFile(path: path), as: .written)
    } else {
      output.note("\(kind) written to \(path)")
    }
  }
}

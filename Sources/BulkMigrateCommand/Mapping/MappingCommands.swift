import BulkMapping
import BulkPlan
import BulkPlatform

enum MappingCommand {
  static let command = Command(
    group: "mapping",
    summary: "Begin, check, try, convert or compare mapping files.",
    explanation: """
      A mapping file describes how the objects of one model become those of another: JSON as \
      Plans/schemas/mapping.schema.json describes it, or a file of Xcode, an .xcmappingmodel or a compiled .cdm. \
      Models are named by options or by the file; otherwise the copies in a mapping of Xcode are used.
      """,
    [
      MappingInitCommand.command, MappingCheckCommand.command, MappingTryCommand.command,
      MappingConvertCommand.command, MappingDiffCommand.command,
    ]
  )
}

/// The models of a mapping file, where options name them.
struct MappingModels: Sendable {
  var source: String?
  var destination: String?

  static let rows: [OptionRow<MappingModels>] = [
    .value("source-model", "MODEL", \.source).help("The model of the source objects."),
    .value("destination-model", "MODEL", \.destination).help(
      "The model of the destination objects."
    ),
  ]

  func workbench(_ file: String) throws -> MappingWorkbench {
    try MappingWorkbench(file, sourceModel: source, destinationModel: destination)
  }
}

/// The file that a command writes; standard output by default.
struct NewFile: Sendable {
  var path: String?

  static let rows: [OptionRow<NewFile>] = [
    .value("output", short: "o", "OUT", \.path).help("The file to write; it must not exist yet.")
  ]

  /// Its folder, to which paths of models in it are relative.
  var folder: String {
    path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "."
  }

  /// Writes a mapping, which ends with a line break.
  func write(_ text: String, _ output: Output) throws {
    guard let path else { return try output.result(String(text.dropLast())) }
    let file = OutputTarget(path, .new)
    try file.refuse()
    try file.write(text)
    if output.isJSON {
      try output.json(WrittenFile(path: path), as: .written)
    } else {
      output.note("mapping written to \(path)")
    }
  }
}

struct MappingInitCommand: ParsableCommand {
  var output = OutputOptions()
  var models = MappingModels()
  var file = NewFile()

  static let table = OptionTable(
    command: "mapping init",
    summary: "Begin a mapping file between two models.",
    explanation: """
      Writes a mapping file with everything that can be inferred between two models. A value "?" has to be replaced \
      by an expression; null keeps the model's default value. Merges, splits and new names of entities that equal \
      attributes suggest are listed, and carried out in a second file, NAME.proposed.json beside NAME.json: use \
      whichever is right.
      """,
    examples: [
      "bulkmigrate mapping init --source-model Old.xcdatamodel --destination-model New.xcdatamodel"
        + " --output all.json":
        "Begin a mapping file, to be edited."
    ],
    results: [.mapping, .written],
    defaults: MappingInitCommand(),
    options: MappingModels.rows.within(\MappingInitCommand.models)
      + NewFile.rows.within(\MappingInitCommand.file)
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let output = context.output
    guard let source = models.source, let destination = models.destination else {
      throw UsageError("pass --source-model and --destination-model")
    }
    let starter = try MappingWorkbench.starter(from: source, to: destination, in: file.folder)
    try file.write(starter.text, output)
    for refusal in starter.refusals {
      let place = [refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".")
      output.note("to be decided: \(place): \(refusal.reason)")
    }
    for proposal in starter.proposals { output.note("to be considered: \(proposal)") }
    if let proposed = starter.proposed, let path = file.path {
      let path = URL(fileURLWithPath: path).deletingPathExtension().path + ".proposed.json"
      try OutputTarget(path, .new).write(proposed)
      output.note("mapping with all of these carried out written to \(path)")
    }
    return .done
  }
}

struct MappingCheckCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var models = MappingModels()
  var policies = PolicyOptions()
  var file = ""

  static let table = OptionTable(
    command: "mapping check",
    summary: "List what is wrong or suspicious in a mapping file.",
    explanation: """
      Lists every fault with line and column, including all that plan would refuse: values that cannot be evaluated, \
      unknown selectors. Then it lists what may not be intended: policies that are not named here, models that changed \
      since Xcode saved the mapping, objects that two mappings make from the same rows, required attributes without a \
      value, properties and entities that are lost. It ends with 65 if something keeps the mapping from being carried \
      out, and with 0 if there are warnings at most.
      """,
    examples: ["bulkmigrate mapping check all.json": "See what is wrong or missing."],
    results: [.mappingFindings],
    defaults: MappingCheckCommand(),
    options: MappingModels.rows.within(\MappingCheckCommand.models)
      + PolicyOptions.rows.within(\MappingCheckCommand.policies),
    operands: [.required("FILE", "The mapping file.", \.file)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let findings = try models.workbench(file).findings(
      knowsPolicy: context.knowsPolicy,
      knowsTransformer: context.knowsTransformer
    )
    try context.output.show(
      ["findings": findings],
      as: .mappingFindings,
      findings.isEmpty
        ? ["\(file): nothing found"]
        : findings.map { $0.line(of: file) }
    )
    return findings.contains { $0.severity == .error } ? .badData : .done
  }
}

struct MappingConvertCommand: ParsableCommand {
  var output = OutputOptions()
  var models = MappingModels()
  var written = NewFile()
  var file = ""

  static let table = OptionTable(
    command: "mapping convert",
    summary: "Write a mapping file as complete JSON.",
    explanation: """
      Turns any mapping into JSON that leaves nothing to be inferred.
      """,
    examples: [
      "bulkmigrate mapping convert V2toV3.xcmappingmodel --output v2-v3.json":
        "Turn a mapping of Xcode into JSON."
    ],
    results: [.mapping, .written],
    defaults: MappingConvertCommand(),
    options: MappingModels.rows.within(\MappingConvertCommand.models)
      + NewFile.rows.within(\MappingConvertCommand.written),
    operands: [.required("FILE", "The mapping file.", \.file)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let (text, warnings) = try models.workbench(file).json(in: written.folder)
    try written.write(text, context.output)
    for warning in warnings { context.output.warning(warning) }
    return .done
  }
}

struct MappingDiffCommand: ParsableCommand {
  var output = OutputOptions()
  var models = MappingModels()
  var files = ["", ""]

  static let table = OptionTable(
    command: "mapping diff",
    summary: "List the differences between two mapping files.",
    explanation: """
      Lists the differences entity mapping by entity mapping, after everything that both files leave out is inferred.
      """,
    examples: [
      "bulkmigrate mapping diff V2toV3.xcmappingmodel v2-v3.json": "See what was changed."
    ],
    results: [.mappingDifferences],
    defaults: MappingDiffCommand(),
    options: MappingModels.rows.within(\MappingDiffCommand.models),
    operands: [
      .required("FILE", "The first mapping file.") { $0.files[0] = $1 },
      .required("OTHER", "The second one.") { $0.files[1] = $1 },
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let mappings = try files.map { try models.workbench($0).mappingModel().model }
    let differences = mappings[0].differences(to: mappings[1])
    return try context.output.show(
      ["differences": differences],
      as: .mappingDifferences,
      differences.lines
    )
  }
}

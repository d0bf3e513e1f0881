import BulkMapping
import BulkPlan
import BulkPlatform

enum MappingCommand {
  static let command = Command(
    group: "mapping",
    [
      MappingInitCommand.command, MappingCheckCommand.command, MappingTryCommand.command,
      MappingConvertCommand.command, MappingDiffCommand.command,
    ]
  )
}

struct MappingModels: Sendable {
  var source: String?
  var destination: String?

  static let rows: [OptionRow<MappingModels>] = [
    .value("source-model", \.source),
    .value("destination-model", \.destination),
  ]

  func workbench(_ file: String) throws -> MappingWorkbench {
    try MappingWorkbench(file, sourceModel: source, destinationModel: destination)
  }
}

/// The file that a command writes; standard output by default.
struct NewFile: Sendable {
  var path: String?

  static let rows: [OptionRow<NewFile>] = [
    .value("output", \.path)
  ]

  /// Its folder, to which paths of models in it are relative.
  var folder: String {
    path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "."
  }

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

  static let table = OptionTable<MappingInitCommand>(
    "mapping init",
    results: [.mapping, .written],
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

  static let table = OptionTable<MappingCheckCommand>(
    "mapping check",
    results: [.mappingFindings],
    options: MappingModels.rows.within(\MappingCheckCommand.models)
      + PolicyOptions.rows.within(\MappingCheckCommand.policies),
    operands: [.required("FILE", \.file)]
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

  static let table = OptionTable<MappingConvertCommand>(
    "mapping convert",
    results: [.mapping, .written],
    options: MappingModels.rows.within(\MappingConvertCommand.models)
      + NewFile.rows.within(\MappingConvertCommand.written),
    operands: [.required("FILE", \.file)]
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

  static let table = OptionTable<MappingDiffCommand>(
    "mapping diff",
    results: [.mappingDifferences],
    options: MappingModels.rows.within(\MappingDiffCommand.models),
    operands: [
      .required("FILE") { $0.files[0] = $1 },
      .required("OTHER") { $0.files[1] = $1 },
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

extension [MappingDifference] {
  var lines: [String] {
    guard !isEmpty else { return ["no difference"] }
    var lines: [String] = []
    var mapping: String?
    for difference in self {
      if difference.mapping != mapping { lines.append(difference.mapping) }
      mapping = difference.mapping
      let name = difference.name.map { " \($0)" } ?? ""
      lines.append("  \(difference.aspect.rawValue)\(name)")
      lines.append("    before  \(difference.before ?? "-")")
      lines.append("    after   \(difference.after ?? "-")")
    }
    return lines
  }
}

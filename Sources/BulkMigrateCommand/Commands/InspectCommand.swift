import BulkCoding
import BulkPlan

struct InspectCommand: ParsableCommand {
  var output = OutputOptions()
  var path = ""
  var models: [String] = []
  var library: [String] = []
  var configuration: String?
  var isMetadataOnly = false

  static let table = OptionTable(
    command: "inspect",
    summary: "Show what a store, a model or a mapping file is and holds.",
    explanation: """
      Shows the entities with rows and bytes, the version of the model, the version hashes, and \
      which model opens a store. The file is only read; nothing beside it is made or changed. It ends with 1 \
      if models are named with --model and none of them opens the store.
      """,
    examples: [
      "bulkmigrate inspect Notes.sqlite": "See what a store holds.",
      "bulkmigrate inspect Notes.sqlite --model Notes.xcdatamodeld":
        "See which version of a model opens a store, and what the others lack.",
      "bulkmigrate inspect Notes.sqlite --models . --metadata-only":
        "See which version a store is, in milliseconds.",
      "bulkmigrate inspect Notes.xcdatamodeld": "See the versions of a model.",
    ],
    results: [.storeReport, .modelReport, .mappingReport],
    defaults: InspectCommand(),
    options: [
      .values("model", "MODEL", \.models).help(
        "A model, or all versions of one, to compare a store with."
      ),
      .values("models", "DIR", \.library).help(
        "Where the versions of a store's model are, to find which of them it is: a folder, which is "
          + "searched, a model, a package of versions, or a store of each."
      ),
      .value("configuration", "NAME", \.configuration).help(
        "The configuration of the models to compare the store with; without it, whole models and the "
          + "configuration that the store has."
      ),
      .flag("metadata-only", \.isMetadataOnly).help(
        "Count no rows: takes milliseconds however large a store is."
      ),
    ],
    operands: [
      .required(
        "FILE",
        "A store, .xcdatamodel, .xcdatamodeld, .mom, .momd or mapping (.json, .xcmappingmodel, .cdm).",
        \.path
      )
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    if MigrationPlan.isPlan(path) {
      let next = "\(context.program) plan \(ShellWord.quoted(path))"
      throw Refusal(.badData, "\(path) is a plan; to read it, type: \(next)")
    }
    let inspection = try Inspection.inspect(
      path,
      models: models,
      library: library,
      configuration: configuration,
      countsRows: !isMetadataOnly
    )
    switch inspection {
    case .store(let report):
      try context.output.show(
        report,
        as: .storeReport,
        report.lines(hasWholeHashes: output.verbosity > 0)
      )
      // The first is the one that the store keeps.
      let named = report.models.filter { $0.path != report.path }
      return models.isEmpty || named.contains(where: \.opensStore) ? .done : .failed
    case .model(let report):
      return try context.output.show(report, as: .modelReport, report.lines)
    case .mapping(let report):
      return try context.output.show(report, as: .mappingReport, report.lines)
    }
  }
}

extension MappingReport {
  var lines: [String] {
    [
      "\(path): mapping file",
      "  source       \(sourceStore ?? "not named")",
      "    model      \(sourceModel ?? "not named")",
      "  destination  \(destinationStore ?? "not named")",
      "    model      \(destinationModel ?? "not named")",
      "  infer        \(infer)",
    ] + (mapping.map { ["  mapping      \($0)"] } ?? []) + entityMappings.map { "  \($0)" }
  }
}

extension ModelReport {
  /// A single version in full; of several versions, a line each and the current one in full.
  var lines: [String] {
    guard versions.count > 1 else {
      return ["\(path): Core Data model"] + versions.flatMap(\.lines)
    }
    let table = versions.table(
      indent: 2,
      .left("VERSION") { $0.name },
      .right("ENTITIES") { "\($0.entities.count)" },
      .left("CHECKSUM") { String($0.checksum.prefix(16)) },
      .left("") { $0.isCurrent ? "current" : "" }
    )
    return ["\(path): \(versions.count) versions of a Core Data model", ""] + table
      + versions.filter(\.isCurrent).flatMap(\.lines)
  }
}

extension ModelReport.Version {
  fileprivate var lines: [String] {
    let identifiers = identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    return ["", "\(name)", "  identifiers  \(identifiers)", "  checksum     \(checksum)"]
      + entities.table(
        indent: 2,
        .left("ENTITY") { entity in
          (entity.superentity.map { "\(entity.name): \($0)" } ?? entity.name)
            + (entity.isAbstract ? " (abstract)" : "")
        },
        .right("ATTRIBUTES") { "\($0.attributes)" },
        .right("RELATIONSHIPS") { "\($0.relationships)" },
        .left("HASH") { String($0.hash.prefix(12)) }
      )
  }
}

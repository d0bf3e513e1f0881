import BulkPlan

/// The arguments of `bulkmigrate inspect`.
struct InspectArguments: CommandArguments {
  var output = OutputOptions()
  var path = ""
  var models: [String] = []
  var library: [String] = []
  var configuration: String?
  var isMetadataOnly = false
}

/// `bulkmigrate inspect`: shows the type and contents of a file.
enum InspectCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "inspect",
    summary: "Show what a store, a model or a mapping file is and holds.",
    explanation: """
      Shows the entities with rows and bytes, the version of the model, the version hashes, and \
      which model opens a store. The file is only read; nothing beside it is made or changed. It ends with 1 \
      if models are named with --model and none of them opens the store.
      """,
    examples: [
      Example("bulkmigrate inspect Notes.sqlite", "See what a store holds."),
      Example(
        "bulkmigrate inspect Notes.sqlite --model Notes.xcdatamodeld",
        "See which version of a model opens a store, and what the others lack."
      ),
      Example(
        "bulkmigrate inspect Notes.sqlite --models . --metadata-only",
        "See which version a store is, in milliseconds."
      ),
      Example("bulkmigrate inspect Notes.xcdatamodeld", "See the versions of a model."),
    ],
    results: [.storeReport, .modelReport, .mappingReport],
    defaults: InspectArguments(),
    options: [
      .values("model", "MODEL", "A model, or all versions of one, to compare a store with.") {
        $0.models.append($1)
      },
      .values(
        "models",
        "DIR",
        "Where the versions of a store's model are, to tell which of them it is: a folder, which is "
          + "searched, a model, or a package of versions."
      ) { $0.library.append($1) },
      .value(
        "configuration",
        "NAME",
        "The configuration of the models to compare the store with; without it, whole models and the "
          + "configuration that the store has."
      ) { $0.configuration = $1 },
      .flag("metadata-only", "Count no rows: takes milliseconds however large a store is.") {
        $0.isMetadataOnly = true
      },
    ],
    operands: [
      .required(
        "FILE",
        "A store, .xcdatamodel, .xcdatamodeld, .mom, .momd or mapping (.json, .xcmappingmodel, .cdm)."
      ) {
        $0.path = $1
      }
    ]
  )

  private static func run(
    _ arguments: InspectArguments,
    in context: CommandContext
  ) throws -> ExitCode {
    let inspection = try Inspection.inspect(
      arguments.path,
      models: arguments.models,
      library: arguments.library,
      configuration: arguments.configuration,
      countsRows: !arguments.isMetadataOnly
    )
    switch inspection {
    case .store(let report):
      try show(report, StoreReportText(report).lines, as: .storeReport, arguments, in: context)
      // The first is the one that the store keeps.
      let named = report.models.filter { $0.path != report.path }
      if !arguments.models.isEmpty, !named.contains(where: \.opensStore) { return .failed }
    case .model(let report):
      try show(report, ModelReportText(report).lines, as: .modelReport, arguments, in: context)
    case .mapping(let report):
      try show(report, MappingReportText(report).lines, as: .mappingReport, arguments, in: context)
    }
    return .done
  }

  private static func show(
    _ report: some Encodable,
    _ lines: [String],
    as format: ResultFormat,
    _ arguments: InspectArguments,
    in context: CommandContext
  ) throws {
    if arguments.output.isJSON {
      try context.output.json(report, as: format)
    } else {
      try context.output.result(lines)
    }
  }
}

/// The contents of a mapping file as text.
struct MappingReportText {
  private let report: MappingReport

  init(_ report: MappingReport) { self.report = report }

  /// The lines.
  var lines: [String] {
    [
      "\(report.path): mapping file",
      "  source       \(report.sourceStore ?? "not named")",
      "    model      \(report.sourceModel ?? "not named")",
      "  destination  \(report.destinationStore ?? "not named")",
      "    model      \(report.destinationModel ?? "not named")",
      "  infer        \(report.infer)",
    ] + (report.mapping.map { ["  mapping      \($0)"] } ?? [])
      + report.entityMappings.map { "  \($0)" }
  }
}

/// The contents of a model as text.
struct ModelReportText {
  private let report: ModelReport

  init(_ report: ModelReport) { self.report = report }

  /// The lines: a single version in full; of several versions, a line each and the current one in full.
  var lines: [String] {
    guard report.versions.count > 1 else {
      return ["\(report.path): Core Data model"] + report.versions.flatMap(details)
    }
    var table = TextTable(.left("VERSION"), .right("ENTITIES"), .left("CHECKSUM"), .left(""))
    for version in report.versions {
      table.append(
        version.name,
        "\(version.entities.count)",
        String(version.checksum.prefix(16)),
        version.isCurrent ? "current" : ""
      )
    }
    let current = report.versions.filter(\.isCurrent)
    return ["\(report.path): \(report.versions.count) versions of a Core Data model", ""]
      + table.lines(indent: 2) + current.flatMap(details)
  }

  private func details(of version: ModelReport.Version) -> [String] {
    var table = TextTable(
      .left("ENTITY"),
      .right("ATTRIBUTES"),
      .right("RELATIONSHIPS"),
      .left("HASH")
    )
    for entity in version.entities {
      let name = entity.superentity.map { "\(entity.name): \($0)" } ?? entity.name
      table.append(
        entity.isAbstract ? "\(name) (abstract)" : name,
        "\(entity.attributes)",
        "\(entity.relationships)",
        String(entity.hash.prefix(12))
      )
    }
    let identifiers = version.identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      "", "\(version.name)", "  identifiers  \(identifiers)", "  checksum     \(version.checksum)",
    ]
      + table.lines(indent: 2)
  }
}

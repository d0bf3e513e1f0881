import BulkPlan

/// What was typed after `bulkmigrate inspect`.
struct InspectArguments: CommandArguments {
  var output = OutputOptions()
  var path = ""
  var models: [String] = []
  var library: [String] = []
  var isMetadataOnly = false
}

/// `bulkmigrate inspect`: tells what a file is and what it holds.
enum InspectCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "inspect",
    summary: "Tell what a store, a model or a mapping file is and holds.",
    explanation: """
      Shows the entities with rows and bytes, the version of the model, the version hashes, and \
      which model opens a store. The file is only read; nothing beside it is made or changed.
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
      countsRows: !arguments.isMetadataOnly
    )
    switch inspection {
    case .store(let report):
      try show(report, StoreReportText(report).lines, arguments, in: context)
    case .model(let report):
      try show(report, ModelReportText(report).lines, arguments, in: context)
    case .mapping(let report):
      try show(report, MappingReportText(report).lines, arguments, in: context)
    }
    return .done
  }

  private static func show(
    _ report: some Encodable,
    _ lines: [String],
    _ arguments: InspectArguments,
    in context: CommandContext
  ) throws {
    if arguments.output.isJSON {
      try context.output.json(report)
    } else {
      try context.output.result(lines)
    }
  }
}

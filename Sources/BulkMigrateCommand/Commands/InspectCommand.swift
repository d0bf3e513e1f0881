import BulkCoding
import BulkPlan

struct InspectCommand: ParsableCommand {
  var output = OutputOptions()
  var path = ""
  var models: [String] = []
  var library: [String] = []
  var configuration: String?
  var isMetadataOnly = false

  static let table = OptionTable<InspectCommand>(
    "inspect",
    results: [.storeReport, .modelReport, .mappingReport],
    options: [
      .values("model", \.models),
      .values("models", \.library),
      .value("configuration", \.configuration),
      .flag("metadata-only", \.isMetadataOnly),
    ],
    operands: [
      .required("FILE", \.path)
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
    var page = Document(isMarkdown: false)
    let isOne = versions.count <= 1
    page.addSentence("\(path): \(isOne ? "" : "\(versions.count) versions of a ")Core Data model")
    if !isOne {
      page.addLines(
        versions.table(
          indent: 2,
          .left("VERSION") { $0.name },
          .right("ENTITIES") { "\($0.entities.count)" },
          .left("CHECKSUM") { String($0.checksum.prefix(16)) },
          .left("") { $0.isCurrent ? "current" : "" }
        )
      )
    }
    for version in versions where isOne || version.isCurrent {
      page.addItem(version.name, version.lines)
    }
    return page.lines
  }
}

extension ModelReport.Version {
  fileprivate var lines: [String] {
    let identifiers = identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    return ["identifiers  \(identifiers)", "checksum     \(checksum)"]
      + entities.table(
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

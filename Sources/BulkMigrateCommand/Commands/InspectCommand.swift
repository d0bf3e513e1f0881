import BulkSupport
import BulkPlan

extension Arguments {
  func inspect(_ context: CommandContext) throws -> ExitCode {
    if MigrationPlan.isPlan(file) {
      let next = "\(context.program) plan \(ShellWord.quoted(file))"
      throw Refusal(.badData, "\(file) is a plan; to read it, type: \(next)")
    }
    let inspection = try Inspection.inspect(
      file,
      models: modelFiles,
      library: request.models,
      configuration: request.configuration,
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
      return modelFiles.isEmpty || named.contains(where: \.opensStore) ? .done : .failed
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

extension StoreReport {
  func lines(hasWholeHashes: Bool) -> [String] {
    var page = Document(isMarkdown: false)
    page.addItem("\(path): \(isOfSwiftData ? "SwiftData" : "Core Data") store", head)
    page.addList("Model version", version.map(\.lines) ?? [])
    page.addList("Models", modelLines)
    if models.isEmpty, version == nil {
      page.addSentence("No model: the store keeps none of itself; pass --model.")
    }
    page.addList("Entities", entityLines(hasWholeHashes))
    let others = tables.table(
      .left("TABLE") { $0.name },
      .left("KIND") { $0.kind },
      .right("ROWS") { $0.rows.map(\.grouped) ?? "" }
    )
    page.addList("Other tables", tables.isEmpty ? [] : others)
    page.addList("External values", externalFiles.map { [Self.line(of: $0)] } ?? [])
    page.addList("What no model explains", unmanaged)
    page.addList(
      "Names that differ from the model's; plan --strategy rebuild corrects them",
      misnamed
    )
    return page.lines
  }

  private static let shown = 200

  private var head: [String] {
    let mode = isInWriteAheadMode ? "WAL" : "rollback journal"
    return [
      "size        \(ByteCount(bytes: bytes)), pages of \(pageSize) bytes, \(mode)",
      "identifier  \(uuid)",
      "written by  Core Data \(frameworkVersion)",
      "version     \(identifiers.map { "\"\($0)\"" }.joined(separator: ", "))",
    ]
      + (salvage.map { ["salvaged    \($0)"] } ?? [])
      + metadata.sorted { $0.key < $1.key }.map { "metadata    \($0): \($1.prefix(Self.shown))" }
  }

  private var modelLines: [String] {
    models.flatMap { model -> [String] in
      let source = model.path == path ? "kept in the store" : model.path
      guard !model.opensStore else { return ["opens it      \(source)"] }
      return ["does not fit  \(source)"] + model.differences.map { "    \($0)" }
    }
  }

  private func entityLines(_ hasWholeHashes: Bool) -> [String] {
    guard !entities.isEmpty else { return [] }
    return entities.sorted { NaturalOrder.precedes($0.name, $1.name) }.table(
      .right("NO") { "\($0.number)" },
      .left("ENTITY") { entity in
        entity.superentity.map { "\(entity.name): \($0)" } ?? entity.name
      },
      .left("TABLE") { $0.table },
      .right("ROWS") { $0.rows.map(\.grouped) ?? "" },
      .right("BYTES") { $0.estimatedBytes.map { "≈ \(ByteCount(bytes: $0))" } ?? "" },
      .left("HASH") { hasWholeHashes ? $0.hash : String($0.hash.prefix(12)) }
    )
  }

  private static func line(of files: MigrationPlan.ExternalFiles) -> String {
    let missing = files.missing > 0 ? ", \(files.missing.grouped) missing" : ""
    return "\(files.count.phrase("file")), \(ByteCount(bytes: files.bytes))\(missing)"
  }
}

extension StoreReport.Version {
  fileprivate var lines: [String] {
    let part = configuration.map { ", configuration \($0)" } ?? ""
    return ["\(name)\(part)", standing, "in \(path)"]
  }

  private var standing: String {
    switch isCurrent {
    case true?: "the current version"
    case false?: "not the current version, which is \(currentVersion ?? "another")"
    case nil:
      packages.isEmpty
        ? "in none of the models that were given" : "none is marked as the current version"
    }
  }
}

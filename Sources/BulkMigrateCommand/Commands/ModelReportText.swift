import BulkPlan

/// What a model holds, as people read it.
struct ModelReportText {
  private let report: ModelReport

  init(_ report: ModelReport) { self.report = report }

  /// The lines: one version in full, of several a line each and the current one in full.
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

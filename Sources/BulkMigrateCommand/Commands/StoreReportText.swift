import BulkCoding
import BulkPlan

/// The contents of a store as text.
struct StoreReportText {
  private let report: StoreReport

  init(_ report: StoreReport) { self.report = report }

  /// The lines.
  var lines: [String] { head + version + models + entities + tables + unmanaged }

  private var head: [String] {
    let mode = report.isInWriteAheadMode ? "WAL" : "rollback journal"
    var result = [
      "\(report.path): Core Data store",
      "  size        \(ByteCount(bytes: report.bytes)), pages of \(report.pageSize) bytes, \(mode)",
      "  identifier  \(report.uuid)",
      "  written by  Core Data \(report.frameworkVersion)",
      "  version     \(report.identifiers.map { "\"\($0)\"" }.joined(separator: ", "))",
    ]
    if !report.applicationKeys.isEmpty {
      result.append("  metadata    \(report.applicationKeys.joined(separator: ", "))")
    }
    return result
  }

  private var version: [String] {
    guard let version = report.version else { return [] }
    let part = version.configuration.map { ", configuration \($0)" } ?? ""
    return [
      "", "Model version", "  \(version.name)\(part)", "  \(standing(version))",
      "  in \(version.path)",
    ]
  }

  private func standing(_ version: StoreReport.Version) -> String {
    switch version.isCurrent {
    case true?: "the current version"
    case false?: "not the current version, which is \(version.currentVersion ?? "another")"
    case nil:
      version.packages.isEmpty
        ? "in none of the models that were given" : "none is marked as the current version"
    }
  }

  private var models: [String] {
    guard !report.models.isEmpty else {
      if report.version != nil { return [] }
      return ["", "No model: the store keeps none of itself; pass --model."]
    }
    let lines = report.models.flatMap { model -> [String] in
      let place = model.path == report.path ? "kept in the store" : model.path
      guard !model.opensStore else { return ["  opens it      \(place)"] }
      return ["  does not fit  \(place)"] + model.differences.map { "      \($0)" }
    }
    return ["", "Models"] + lines
  }

  private var entities: [String] {
    guard !report.entities.isEmpty else { return [] }
    var table = TextTable(
      .right("NO"),
      .left("ENTITY"),
      .left("TABLE"),
      .right("ROWS"),
      .right("BYTES"),
      .left("HASH")
    )
    for entity in report.entities {
      table.append(
        "\(entity.number)",
        entity.superentity.map { "\(entity.name): \($0)" } ?? entity.name,
        entity.table,
        entity.rows.map(NumberText.grouped) ?? "",
        entity.estimatedBytes.map { "≈ \(ByteCount(bytes: $0))" } ?? "",
        String(entity.hash.prefix(12))
      )
    }
    return ["", "Entities"] + table.lines(indent: 2)
  }

  private var tables: [String] {
    guard !report.tables.isEmpty else { return [] }
    var table = TextTable(.left("TABLE"), .left("KIND"), .right("ROWS"))
    for other in report.tables {
      table.append(other.name, other.kind, other.rows.map(NumberText.grouped) ?? "")
    }
    return ["", "Other tables"] + table.lines(indent: 2)
  }

  private var unmanaged: [String] {
    guard !report.unmanaged.isEmpty else { return [] }
    return ["", "What no model explains"] + report.unmanaged.map { "  \($0)" }
  }
}

import BulkPlan

/// What a mapping file says, as people read it.
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

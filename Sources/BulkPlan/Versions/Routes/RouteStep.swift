internal import BulkMapping
internal import BulkSupport

/// One step of a route, as reports and plans of fleets list it.
package struct RouteStep: Codable, Hashable, Sendable {
  /// The files of the versions before and after the step.
  package var source: String
  package var destination: String
  /// The name of the version after it, of merged models those of all.
  package var version: String
  /// The mapping file; absent where everything is inferred.
  package var mapping: String?

  package init(_ step: StepFiles) {
    source = step.source.input.path
    destination = step.destination.input.path
    version = step.destination.versionName
    mapping = step.file?.path
  }
}

extension [RouteStep] {
  package var line: String {
    map { step in
      let mapping = step.mapping.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "inferred"
      return "→ \(step.version) (\(mapping))"
    }.joined(separator: " ")
  }
}

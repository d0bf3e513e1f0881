package import BulkMapping

/// A step of a route: from one version to another, by a mapping file or inferred.
package struct StepFiles {
  /// The version before the step.
  package let source: LocatedModel
  /// The version after the step.
  package let destination: LocatedModel
  /// The mapping file; `nil` where everything is inferred.
  package let file: MappingFile?
  /// Warnings, a sentence each.
  package var warnings: [String]

  package init(
    source: LocatedModel,
    destination: LocatedModel,
    file: MappingFile?,
    warnings: [String] = []
  ) {
    self.source = source
    self.destination = destination
    self.file = file
    self.warnings = warnings
  }
}

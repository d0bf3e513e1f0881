package import BulkMapping

/// A step of a way: from one version to another, by a mapping file or inferred.
package struct RouteStep {
  /// The version that the step begins with.
  package let source: LocatedModel
  /// The version that it leads to.
  package let destination: LocatedModel
  /// The mapping file; `nil` where everything is inferred.
  package let file: MappingFile?
  /// What deserves a look, a sentence each.
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

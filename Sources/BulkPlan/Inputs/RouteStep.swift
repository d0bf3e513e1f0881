internal import BulkMapping

/// A step of a way: from one version to another, by a mapping file or inferred.
struct RouteStep {
  /// The version that the step begins with.
  let source: LocatedModel
  /// The version that it leads to.
  let destination: LocatedModel
  /// The mapping file; `nil` where everything is inferred.
  let file: MappingFile?
  /// What deserves a look, a sentence each.
  var warnings: [String] = []
}

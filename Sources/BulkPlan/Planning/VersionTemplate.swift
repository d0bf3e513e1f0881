internal import BulkMapping
internal import BulkModel
internal import BulkVersions

/// What all stores of one version share: the version's route, and the steps on it.
package final class VersionTemplate {
  /// The name of the version.
  package let version: String
  /// The name of the version at the end of the route.
  package let destinationVersion: String
  /// The steps of the route.
  package let steps: SharedSteps

  /// A template of a route for a program with some transformers.
  init(_ route: StoreRoute, knowsTransformer: (@Sendable (String) -> Bool)?) {
    version = route.version.name
    destinationVersion = route.destinationName
    steps = SharedSteps(route.steps.map { $0.known(knowsTransformer) })
  }

  /// Whether stores of the version have the requested version already.
  package var isOfVersion: Bool {
    steps.files.first.map {
      $0.source.model.entityVersionHashesByName == $0.destination.model.entityVersionHashesByName
    } ?? false
  }

  /// The files of the route, step by step; none where ``isOfVersion``.
  package var route: [StoreForecast.Step] {
    guard !isOfVersion else { return [] }
    return steps.files.map { step in
      StoreForecast.Step(
        source: step.source.input.path,
        destination: step.destination.input.path,
        mapping: step.file?.path
      )
    }
  }
}

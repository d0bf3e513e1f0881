package import BulkMapping
package import BulkModel
internal import Foundation

/// One step of a migration, from one version of a model to another.
package struct MigrationHop: Sendable {
  /// What plans call the version that the step leads to.
  package let name: String
  /// The model before.
  package let source: ManagedObjectModel
  /// The model afterwards.
  package let destination: ManagedObjectModel
  /// How the models map; `nil` where that is inferred.
  package let mapping: MappingModel?

  package init(
    to name: String,
    from source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    mapping: MappingModel? = nil
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.mapping = mapping
  }
}

extension MigrationHop {
  /// The step between two models that were found.
  package init(from source: LocatedModel, to destination: LocatedModel, mapping: MappingModel?) {
    self.init(
      to: destination.versionName,
      from: source.model,
      destination.model,
      mapping: mapping
    )
  }

  /// The step between two models that were found, by a mapping file if there is one.
  init(
    from source: LocatedModel,
    to destination: LocatedModel,
    mapping path: String?
  ) throws(PlanError) {
    let file = try path.map { path throws(PlanError) in try MappingFile.planned(path) }
    let given = try MappingInput(file, from: source.model, to: destination.model)
    self.init(from: source, to: destination, mapping: given.model)
  }

  /// The steps from each of some models to the next.
  ///
  /// - Parameters:
  ///   - models: The models, at least two.
  ///   - mapping: How they map; `nil` to infer it.
  /// - Returns: One step fewer than there are models.
  package static func hops(_ models: [LocatedModel], mapping: MappingModel?) -> [MigrationHop] {
    zip(models, models.dropFirst()).map { MigrationHop(from: $0, to: $1, mapping: mapping) }
  }
}

extension LocatedModel {
  /// What the model's file is called, without its suffix.
  fileprivate var versionName: String {
    URL(fileURLWithPath: input.path).deletingPathExtension().lastPathComponent
  }
}
